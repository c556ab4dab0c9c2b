// Makes of the sources what runs, as tasks of turbo.json do; whether their types are right is asked elsewhere (`npm run types`).
//     node scripts/compile.mjs                packages and services, and their bundles
//     node scripts/compile.mjs trials         the bench and the faults
//     node scripts/compile.mjs local-stack    that package alone
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from '@swc/core';
import { bundle, foldersIn } from './bundle.mjs';
import { root } from './processes.mjs';

const options = {
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript' },
    transform: { verbatimModuleSyntax: true },
    rewriteRelativeImportExtensions: true,
  },
};

const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

const isCompiled = (file) => /(?<!\.test|\.d)\.ts$/.test(file);

/** What is right already stays untouched: something may be starting from it. */
const put = (file, text) => {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** Of an error its message, the path, the line and the place in it. swc says its own stack after that, which is about swc. */
const tellWrong = (error) => {
  console.error(error.message.replace(/\n+Caused by:.*/s, ''));
  process.exit(1);
};

const compileFile = async (from, to) => {
  const text = readFileSync(from, 'utf8');
  const { code } = await transform(text, { ...options, filename: from }).catch(tellWrong);
  put(to, code);
};

/** Of the client others see only the package that is made of its parts. */
const outputOf = (folder) => join(root, folder, folder === 'packages/client' ? 'dist/parts' : 'dist');

const compile = async (folder) => {
  const [sources, output] = [join(root, folder, 'src'), outputOf(folder)];
  const files = filesIn(sources).filter(isCompiled);
  const made = new Map(files.map((from) => [from.replace(sources, output).replace(/\.ts$/, '.js'), from]));
  await Promise.all([...made].map(([to, from]) => compileFile(from, to)));
  for (const file of filesIn(output)) if (!made.has(file)) rmSync(file);
};

const apart = 'packages/local-stack';
const product = () => [...foldersIn('packages'), ...foldersIn('services')].filter((one) => one !== apart);

const works = {
  async product() {
    await Promise.all(product().map(compile));
    await import('../packages/client/build/build.mjs');
    await bundle('product');
  },
  async trials() {
    await Promise.all(['bench', 'faults'].map(compile));
    await bundle('faults');
  },
  'local-stack': () => compile(apart),
};

await works[process.argv[2] ?? 'product']();
