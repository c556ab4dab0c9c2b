import { shortLocks, track } from './parts/track.ts';

await track(shortLocks);
