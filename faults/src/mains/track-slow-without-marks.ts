import { forgetfulMarks } from '@roster/track-service';
import { slowFold } from './parts/folds.ts';
import { shortLocks, track } from './parts/track.ts';

await track({ fold: slowFold(10), marks: forgetfulMarks, ...shortLocks });
