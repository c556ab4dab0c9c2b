// npm start: the whole system on this machine, until Ctrl-C.
import { prepare, product } from './prepare.mjs';

await prepare(product);
await import('../packages/local-stack/dist/start.js');
