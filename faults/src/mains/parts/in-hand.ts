import { linger, shortLocks } from './track.ts';

/** Nearly always has something in hand, and what it drops is missed soon. */
export const inHand = { ...shortLocks, committed: linger };
