import { noDeletionPending } from '@roster/track-service';
import { failingInOneOf } from './parts/folds.ts';
import { shortLocks, track } from './parts/track.ts';

await track({ ...shortLocks, fold: failingInOneOf(10), pendingFor: noDeletionPending });
