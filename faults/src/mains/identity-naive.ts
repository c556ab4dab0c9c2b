import { withoutFence } from '@roster/identity-service';
import { identity, withoutTransactionAtOnce } from './parts/identity.ts';
import { shortLocks } from './parts/track.ts';

await identity({ ...shortLocks, fence: withoutFence, transact: withoutTransactionAtOnce });
