import { inHand } from './parts/in-hand.ts';
import { track } from './parts/track.ts';

await track(inHand);
