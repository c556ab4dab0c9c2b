// npm run reset: removes the data of the local stack.
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { root } from './processes.mjs';

await prepare({ filters: ['@roster/local-stack'], bundles: [] });
const { removeStack } = await import('../packages/local-stack/dist/index.js');
const { env } = process;
const dir = env.ROSTER_HOME || join(root, '.roster');
try {
  console.log((await removeStack(dir)) ? `${dir} is removed.` : `There is nothing in ${dir}.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
