import { plainWrites } from './parts/plain-writes.ts';
import { track } from './parts/track.ts';

await track({ marks: plainWrites });
