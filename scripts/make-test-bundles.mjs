// Makes the files of test-bundles.cjs, before each run of jest.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import {
  groupFile,
  libraries,
  libraryFile,
  libraryFolder,
  packageFile,
  packages,
  root,
} from './test-bundles.cjs';

const usual = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  outdir: root,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  logLevel: 'warning',
};

/** Another run may be reading the one of before. */
const put = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
};

/** Sources ask where they are, for the scripts beside them. */
const whereItIs = {
  name: 'where a source is',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', url) };
    });
  },
};

const makePackages = async () => {
  const entryPoints = packages.map((name) => ({ in: `packages/${name}/src/index.ts`, out: name }));
  const options = { ...usual, entryPoints, packages: 'external', plugins: [whereItIs] };
  const { outputFiles } = await build(options);
  for (const [at, { text }] of outputFiles.entries()) put(packageFile(packages[at]), text);
};

const makeGroup = async (group) => {
  const contents = group.map((name) => `exports['${name}'] = () => require('${name}');`).join('\n');
  const { outputFiles } = await build({
    ...usual,
    stdin: { contents, resolveDir: root },
    minifyWhitespace: true,
    // They are tried, and not needed.
    external: [
      '@aws-sdk/*',
      '@mongodb-js/*',
      'aws4',
      'gcp-metadata',
      'kerberos',
      'mongodb-client-encryption',
      'msgpackr-extract',
      'snappy',
      'socks',
    ],
  });
  put(groupFile(group), outputFiles[0].text);
};

/** They change with the lock file only. */
const makeLibraries = async () => {
  const [key, kept] = [createHash('sha256'), join(libraryFolder, 'key')];
  for (const name of ['package-lock.json', 'scripts/test-bundles.cjs', 'scripts/make-test-bundles.mjs'])
    key.update(readFileSync(join(root, name)));
  const wanted = key.digest('hex');
  if (existsSync(kept) && readFileSync(kept, 'utf8') === wanted) return;
  await Promise.all(libraries.map(makeGroup));
  for (const group of libraries)
    for (const name of group)
      put(libraryFile(name), `module.exports = require('${groupFile(group)}')['${name}']();\n`);
  put(kept, wanted);
};

export const makeTestBundles = async () => {
  await Promise.all([makeLibraries(), makePackages()]);
  await stop();
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeTestBundles();
