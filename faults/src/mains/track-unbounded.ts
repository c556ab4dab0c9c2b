import { noLoadLimits } from '@roster/track-service';
import { shortLocks, track } from './parts/track.ts';

await track({ ...shortLocks, loadLimits: noLoadLimits });
