import { identity, withoutTransactionAtOnce } from './parts/identity.ts';
import { shortLocks } from './parts/track.ts';

await identity({ ...shortLocks, transact: withoutTransactionAtOnce });
