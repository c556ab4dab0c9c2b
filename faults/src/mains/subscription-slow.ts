import { planSubscriptions } from '@roster/profile';
import { subscription } from './parts/subscription.ts';
import { shortLocks } from './parts/track.ts';

const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Stays a while inside of each transaction: a kill then hits it in the middle. */
await subscription({
  ...shortLocks,
  planned(input) {
    Atomics.wait(nobody, 0, 0, 300);
    return planSubscriptions(input);
  },
});
