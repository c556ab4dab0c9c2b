import { identity } from './parts/identity.ts';
import { lateInOneOf } from './parts/late.ts';
import { shortLocks } from './parts/track.ts';

/** So late that the caller is told that the request is queued, and goes on. */
await identity({ ...shortLocks, batchWorker: lateInOneOf(1, 1_800) });
