import { resigned } from './parts/resigned.ts';
import { shortLocks, track } from './parts/track.ts';

await track({ ...shortLocks, marks: resigned });
