// Can take 125 requests a second of one lane: two turns at once, sixteen milliseconds for each request.
import { slowMarks } from './parts/slow-marks.ts';
import { track } from './parts/track.ts';

await track({ marks: slowMarks(16) });
