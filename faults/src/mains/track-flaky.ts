import { failingInOneOf } from './parts/folds.ts';
import { track } from './parts/track.ts';

await track({ fold: failingInOneOf(10) });
