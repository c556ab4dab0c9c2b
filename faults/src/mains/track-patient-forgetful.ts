import { failingInOneOf, forgettingSince } from './parts/folds.ts';
import { patience, track } from './parts/track.ts';

await track({ ...patience, fold: failingInOneOf(10, forgettingSince) });
