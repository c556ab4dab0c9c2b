// npm run build: everything that is compiled, and the bundles of what runs.
import { everything, prepare } from './prepare.mjs';

await prepare(everything);
