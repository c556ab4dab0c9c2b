import { run } from '@roster/runtime';
import { startTrack } from '@roster/track-service';

export type Replacements = NonNullable<Parameters<typeof startTrack>[1]>;

/** The track service with a part exchanged. */
export const track = (replacements: Replacements): Promise<void> =>
  run('track', (context) => startTrack(context, replacements));

/** A worker that vanished is missed sooner: trials that wait for it need not wait so long. */
export const shortLocks = { lockMs: 2_000 };

/** A quarter of an hour: what waits is never applied as things are, however slow the machine is. */
export const patience = { ...shortLocks, mostTries: 3_600 };

const { LINGER_MS: lingerMs = '30' } = process.env;

/** A turn is done and its jobs are not yet: long enough that some of those who are killed are killed just then. */
export const linger = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Number(lingerMs)));
