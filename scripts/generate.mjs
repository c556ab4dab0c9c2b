// Writes what is generated from the code, or with --check tells whether it is up to date. The code is compiled.
import { runLoud } from './processes.mjs';

const generators = [
  'packages/openapi/dist/generate.js',
  'packages/runtime/dist/generate-env.js',
  'scripts/collection.mjs',
];

for (const generator of generators) {
  const code = await runLoud(process.execPath, [generator, ...process.argv.slice(2)]);
  if (code !== 0) process.exitCode = 1;
}
