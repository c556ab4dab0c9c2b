import { run } from '@roster/runtime';
import { startTrack } from '@roster/track-service';

export type Replacements = NonNullable<Parameters<typeof startTrack>[1]>;

/** The track service with a part exchanged. */
export const track = (replacements: Replacements): Promise<void> =>
  run('track', (context) => startTrack(context, replacements));

/** A worker that vanished is missed sooner: trials that wait for it need not wait so long. */
export const shortLocks = { lockMs: 2_000 };
