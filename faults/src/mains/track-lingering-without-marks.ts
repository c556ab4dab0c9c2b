import { forgetfulMarks } from '@roster/track-service';
import { linger, track } from './parts/track.ts';

await track({ committed: linger, marks: forgetfulMarks });
