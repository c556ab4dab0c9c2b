import { noDeletionPending } from '@roster/track-service';
import { failingInOneOf } from './parts/folds.ts';
import { patience, track } from './parts/track.ts';

await track({ ...patience, fold: failingInOneOf(10), pendingFor: noDeletionPending });
