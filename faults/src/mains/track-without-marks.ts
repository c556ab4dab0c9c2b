import { forgetfulMarks } from '@roster/track-service';
import { track } from './parts/track.ts';

await track({ marks: forgetfulMarks });
