/** How long a transaction of a turn may take. */
import type { Store } from '@roster/store';

type Patience = NonNullable<Parameters<Store['transact']>[1]>;

/** MongoDB ends it itself after a minute, unless it is configured otherwise. */
const longestMs = 50_000;

/** Where there is nothing to divide any more, less time would mean that it never comes to an end. */
export const patienceFor = (rows: number): Patience => (rows > 1 ? {} : { limitMs: longestMs });
