import { setTimeout as sleep } from 'node:timers/promises';
import { shortLocks, track } from './parts/track.ts';

/** So long that many of those who are killed are killed at work. */
await track({ ...shortLocks, committed: () => sleep(120) });
