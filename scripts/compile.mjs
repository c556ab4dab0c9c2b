// Compiles and bundles, as tasks of turbo.json do: `node scripts/compile.mjs` what runs (packages and services), `node scripts/compile.mjs trials`
// the bench and the faults.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { root, runLoud, tool } from './processes.mjs';

const run = async (...command) => {
  const code = await runLoud(process.execPath, command);
  if (code !== 0) process.exit(code);
};

/** Several checkers of one project each work out the types that all need: a quarter more processor time. */
const compile = (...folders) => run(tool('typescript/bin/tsc'), '-b', '--checkers', '1', ...folders);

/** Every folder that is compiled is named in tsconfig.json. */
const folders = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).references.map(
  ({ path }) => path,
);
const isProduct = (folder) => /^(packages|services)\//.test(folder);

const client = 'packages/client';

if (process.argv[2] === 'trials') {
  await compile(...folders.filter((folder) => !isProduct(folder)));
  await bundle('faults');
} else {
  // Other packages see only the package that is made of what the compiler has written, so it comes first.
  await compile(client);
  await run(`${client}/build/build.mjs`);
  await compile(...folders.filter(isProduct));
  await bundle('product');
}
