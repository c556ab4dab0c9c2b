import { failingInOneOf } from './parts/folds.ts';
import { lateInOneOf } from './parts/late.ts';
import { patience, track } from './parts/track.ts';

await track({ ...patience, fold: failingInOneOf(10), batchWorker: lateInOneOf(3, 400) });
