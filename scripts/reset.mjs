// npm run reset: removes the data of the local stack.
import { prepare } from './prepare.mjs';

await prepare({ projects: ['packages/local-stack'], bundles: [] });
await import('../packages/local-stack/dist/reset.js');
