// No bound of what a transaction loads.
import { noLoadLimits } from '@roster/track-service';
import { subscription } from './parts/subscription.ts';
import { shortLocks } from './parts/track.ts';

await subscription({ ...shortLocks, loadLimits: noLoadLimits });
