import { run } from '@roster/runtime';
import { startSubscription } from '@roster/subscription-service';

export type Replacements = NonNullable<Parameters<typeof startSubscription>[1]>;

/** The subscription service with a part exchanged. */
export const subscription = (replacements: Replacements): Promise<void> =>
  run('subscription', (context) => startSubscription(context, replacements));
