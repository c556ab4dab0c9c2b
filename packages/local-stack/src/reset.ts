// What `npm run reset` runs once it is built: removes the data of the local stack.
import { join } from 'node:path';
import { checkout } from './stack/checkout.ts';
import { removeStack } from './stack/remove.ts';

const dir = process.env.ROSTER_HOME || join(checkout(), '.roster');
try {
  console.log((await removeStack(dir)) ? `${dir} is removed.` : `There is nothing in ${dir}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
