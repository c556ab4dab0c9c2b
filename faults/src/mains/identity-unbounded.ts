import { noLoadLimits } from '@roster/identity-service';
import { identity } from './parts/identity.ts';
import { shortLocks } from './parts/track.ts';

await identity({ ...shortLocks, loadLimits: noLoadLimits });
