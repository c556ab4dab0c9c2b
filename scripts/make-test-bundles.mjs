// Makes the files of test-bundles.cjs: the task `test-bundles` of turbo.json.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { build, stop } from 'esbuild';
import { groupFile, libraries, libraryFile, packageFile, packages, root } from './test-bundles.cjs';

const usual = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  outdir: root,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  // In tsconfig.json other packages are their sources; here they stay names.
  tsconfigRaw: '{}',
  logLevel: 'warning',
};

/** Another run may be reading the one of before. */
const put = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
};

/** From the bundle of a package to where its source is: the bundle stays right when the checkout is moved. */
const placeOf = (source) => {
  const bundle = packageFile(/[/\\]packages[/\\]([^/\\]+)/.exec(source)[1]);
  const path = JSON.stringify(relative(dirname(bundle), source));
  return `require('node:url').pathToFileURL(require('node:path').join(__dirname, ${path})).href`;
};

/** Sources ask where they are, for the scripts beside them. */
const whereItIs = {
  name: 'where a source is',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', () => placeOf(path)) };
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

await Promise.all([makePackages(), ...libraries.map(makeGroup)]);
for (const group of libraries)
  for (const name of group)
    put(
      libraryFile(name),
      `module.exports = require('./groups/${basename(groupFile(group))}')['${name}']();\n`,
    );
await stop();
