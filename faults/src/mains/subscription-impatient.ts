import { subscription } from './parts/subscription.ts';
import { shortLocks } from './parts/track.ts';

await subscription(shortLocks);
