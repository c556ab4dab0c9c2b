import { planSubscriptions } from '@roster/profile';
import { lastWrittenWins } from '@roster/track-service';
import { subscription } from './parts/subscription.ts';
import { shortLocks } from './parts/track.ts';

await subscription({
  ...shortLocks,
  planned: (input) => planSubscriptions({ ...input, fold: lastWrittenWins }),
});
