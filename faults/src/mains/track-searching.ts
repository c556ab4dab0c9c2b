import { searchingFold } from './parts/folds.ts';
import { shortLocks, track } from './parts/track.ts';

await track({ ...shortLocks, fold: searchingFold });
