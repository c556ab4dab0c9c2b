// npm run docs [-- --check]: writes what is generated from the code, or tells whether it is up to date.
import { prepare } from './prepare.mjs';

await prepare('compile');
await import('./generate.mjs');
