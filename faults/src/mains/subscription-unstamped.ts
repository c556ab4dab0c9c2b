import { planSubscriptions } from '@roster/profile';
import { subscription } from './parts/subscription.ts';
import { shortLocks } from './parts/track.ts';

/** Counts from when it is applied, and in any order: here in the wrong one. */
await subscription({
  ...shortLocks,
  planned: ({ requests, known }) =>
    planSubscriptions({
      requests: requests.toReversed().map((request, n) => ({ ...request, at: Date.now() * 1000 + n })),
      known,
    }),
});
