// npm run build: everything that is compiled, the bundles of what runs, and whether the types are right.
import { prepare } from './prepare.mjs';

await prepare('build', 'compile-trials', 'types');
