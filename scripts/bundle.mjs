// Puts what runs into few files: see docs/adr/build.md.
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { root } from './processes.mjs';

/** It serves files that lie beside it, so it stays where it is. */
const external = ['@bull-board/*'];

/** The page of the reference is one file: nothing else of Scalar and what it was built from has to be installed. */
const scalar = createRequire(join(root, 'services/ingress/package.json')).resolve(
  '@scalar/api-reference/browser/standalone.js',
);

/** What is not ESM asks for `require`, which a bundle does not have of itself. */
const banner = {
  js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
};

export const foldersIn = (path) => readdirSync(join(root, path)).map((name) => `${path}/${name}`);

const scriptsIn = (folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.js'));

const nameOf = (path) => path.replace(/.*\//, '').replace(/\.js$/, '');

/** The processes of a service: `main.js` has its name, and `pages-main.js` is the process `pages`. */
const mainsOf = (folder) =>
  (existsSync(join(root, folder, 'dist')) ? scriptsIn(`${folder}/dist`) : [])
    .filter((name) => /^([a-z]+-)?main\.js$/.test(name))
    .map((name) => [
      name === 'main.js' ? nameOf(folder) : name.replace('-main.js', ''),
      `${folder}/dist/${name}`,
    ]);

/** Started by the services and by `roster`, from the folder in which they lie. */
const threads = {
  'watch-thread': 'packages/queue/dist/guard/watch-thread.js',
  'large-bodies-thread': 'services/ingress/dist/large-bodies-thread.js',
  'parquet-thread': 'packages/sources/dist/parquet/parquet-thread.js',
  'liquid-thread': 'packages/liquid/dist/liquid-thread.js',
  'matching-thread': 'packages/audience/dist/matching-thread.js',
  'email-thread': 'packages/channels/dist/email/email-thread.js',
  'preview-process': 'services/messaging/dist/preview-process.js',
};

/** It starts for every sync, and so it has its own copy of what it needs: parts that are shared with services would bring the whole contract. */
const reader = { 'source-process': 'packages/sources/dist/apart/source-process.js' };

const bundles = {
  product: {
    outdir: 'bundle',
    entries: () => ({
      ...Object.fromEntries(foldersIn('services').flatMap(mainsOf)),
      roster: 'packages/cli/dist/main.js',
      several: 'packages/cli/dist/several.js',
      ...threads,
    }),
  },
  faults: {
    outdir: 'faults/bundle',
    entries: () => ({
      ...Object.fromEntries(
        readdirSync(join(root, 'faults/src/mains'))
          .filter((name) => name.endsWith('.ts'))
          .map((name) => name.replace('.ts', ''))
          .map((service) => [service, `faults/dist/mains/${service}.js`]),
      ),
      ...threads,
    }),
  },
};

/** Imported as `default`. */
const byDefault = /node_modules\/avsc\//;

/** A package that is imported when it is needed, and is CommonJS, has its names in Node, and in a bundle none of them. */
const assertNamed = ({ outputs }) => {
  for (const { entryPoint, exports } of Object.values(outputs))
    if (entryPoint?.includes('node_modules/') && exports.join() === 'default' && !byDefault.test(entryPoint))
      throw new Error(
        `${entryPoint} has no names when it is imported by import(): import a module of ours, which imports it.`,
      );
};

/** What starts for every sync has no schema in it. */
const assertSmall = ({ outputs }) => {
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      if (path.includes('/typebox/') && bytesInOutput > 0)
        throw new Error(
          `${path} is in the process that reads databases: what it imports needs "sideEffects": false in its package.json.`,
        );
};

/** What was written. */
const filesOf = async ({ outdir, plugins }, entryPoints, assertRight) => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    // One copy of what several need.
    splitting: true,
    chunkNames: 'shared-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner,
    external,
    // In tsconfig.json the packages are their sources.
    tsconfigRaw: '{}',
    logLevel: 'warning',
    metafile: true,
    plugins,
  });
  assertNamed(metafile);
  assertRight?.(metafile);
  return Object.keys(metafile.outputs);
};

/** `name`: product or faults. `plugins` of esbuild make another version of it, in another folder. */
export const bundle = async (name, { outdir = bundles[name].outdir, plugins = [] } = {}) => {
  const into = { outdir, plugins };
  const files = (
    await Promise.all([filesOf(into, bundles[name].entries()), filesOf(into, reader, assertSmall)])
  ).flat();
  // It would stay, with what it has read, for as long as the system runs.
  await stop();
  copyFileSync(scalar, join(root, outdir, 'scalar.js'));
  // Those of before, and only now: somebody may be starting from them.
  const made = new Set([...files, `${outdir}/scalar.js`].map((path) => join(root, path)));
  for (const name of readdirSync(join(root, outdir)))
    if (!made.has(join(root, outdir, name))) rmSync(join(root, outdir, name));
};
