import { commitCarelessly } from './parts/careless.ts';
import { shortLocks, track } from './parts/track.ts';

commitCarelessly();
await track(shortLocks);
