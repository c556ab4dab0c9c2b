// npm run build: everything that is compiled, and the bundles of what runs.
import { prepare } from './prepare.mjs';

await prepare('build');
