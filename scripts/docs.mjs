// npm run docs [-- --check]: writes what is generated from the code, or tells whether it is up to date.
import { prepare } from './prepare.mjs';
import { runLoud } from './processes.mjs';

const generators = [
  'packages/openapi/dist/generate.js',
  'packages/runtime/dist/generate-env.js',
  'scripts/collection.mjs',
];

await prepare({ projects: ['packages/openapi', 'packages/runtime'], bundles: [] });
for (const generator of generators) {
  const code = await runLoud(process.execPath, [generator, ...process.argv.slice(2)]);
  if (code !== 0) process.exitCode = 1;
}
