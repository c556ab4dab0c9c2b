import { startIdentity } from '@roster/identity-service';
import { run } from '@roster/runtime';

export type Replacements = NonNullable<Parameters<typeof startIdentity>[1]>;

/** The identity service with a part exchanged. */
export const identity = (replacements: Replacements): Promise<void> =>
  run('identity', (context) => startIdentity(context, replacements));
