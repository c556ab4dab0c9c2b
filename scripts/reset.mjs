// npm run reset: removes the data of the local stack.
import { prepare } from './prepare.mjs';

await prepare('local-stack');
await import('../packages/local-stack/dist/reset.js');
