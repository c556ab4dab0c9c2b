// No bound of what a transaction loads, and each removal looks at all objects of an array: the bounds of steps do not count that.
import { noLoadLimits } from '@roster/track-service';
import { searchingFold } from './parts/folds.ts';
import { shortLocks, track } from './parts/track.ts';

await track({ ...shortLocks, loadLimits: noLoadLimits, fold: searchingFold });
