import { linger, track } from './parts/track.ts';

await track({ committed: linger });
