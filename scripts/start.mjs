// npm start: the whole system on this machine, until Ctrl-C.
import { prepare, product } from './prepare.mjs';
import { say } from './progress.mjs';

say('starting Roster; Ctrl-C stops it');
await prepare(product);
await import('../packages/local-stack/dist/start.js');
