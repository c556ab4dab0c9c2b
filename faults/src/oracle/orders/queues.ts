/** Accepted requests, applied in a random order that fences and waits allow (docs/adr/identity.md, docs/adr/order.md). */
import { peopleNamed } from '@roster/contract';
import { keyParts, keysNamed, type Stamp } from '@roster/profile';
import { nameDigest, type Pending } from '@roster/queue';
import { type PeopleInMemory, demoWorkspace as ws } from '@roster/testkit';
import { applyInTime } from '@roster/track-service';
import { type Dice, shuffled } from '../../harness/dice.ts';
import { identity, subscribe, track } from './apply.ts';
import type { Request } from './requests.ts';

/** A protection that is off: the fence of identity, or the wait of tracks for what was accepted before. */
export type Without = 'fence' | 'wait';

const secret = 'of the notices';

const isDeletion = ({ op }: Request): boolean => op === 'users.delete';

const isContact = (key: string): boolean => ['email', 'phone'].includes(keyParts(key)?.by ?? '');

const oldestOf = (all: readonly Request[]): Stamp => Math.min(...all.map(({ at }) => at), Infinity);

/** The deletions among these requests, as tracks see them. */
const pendingIn = (identities: readonly Request[]): Pending => {
  const keys = identities.flatMap(({ op, body }) => keysNamed(ws, peopleNamed(op, body)));
  return {
    oldest: oldestOf(identities.filter(isDeletion)),
    byContact: keys.some(isContact),
    names: new Set(keys.map((key) => nameDigest(secret, key))),
  };
};

export const createQueues = (
  stored: PeopleInMemory,
  dice: Dice,
  takeStamp: () => Stamp,
  without?: Without,
) => {
  /** Accepted, and not applied yet. */
  let left: Request[] = [];

  const of = (queue: Request['queue']): Request[] => left.filter((one) => one.queue === queue);

  const finish = (done: readonly Request[]): boolean => {
    left = left.filter((one) => !done.includes(one));
    return done.length > 0;
  };

  /** A worker has one request in hand, or several in the order of their stamps. */
  const batchWith = (first: Request): Request[] => {
    if (dice.below(3) > 0) return [first];
    const some = of(first.queue).filter((one) => one === first || dice.below(2) === 0);
    return some.sort((a, b) => a.at - b.at);
  };

  const inTime = applyInTime(track(stored), {
    secret,
    pendingFor: async () => new Map([[ws, pendingIn(of('identity'))]]),
    ...(without !== 'wait' && {
      oldestBeside: async (own) => () => oldestOf(of('track').filter(({ at }) => !own.has(at))),
      readEarlier: async (_, batch) => ({
        requests: left.filter(({ id }) => !batch.has(id)),
        upTo: Infinity,
      }),
    }),
  });

  const applyTracks = async (batch: readonly Request[]): Promise<boolean> => {
    const outcomes = await inTime(batch);
    return finish(batch.filter((_, n) => outcomes[n]));
  };

  const applyIdentity = (batch: readonly Request[]): boolean => {
    const deletions = of('identity').filter((one) => isDeletion(one) && !batch.includes(one));
    const others = left.filter(({ queue }) => queue !== 'identity');
    const fence = without === 'fence' ? Infinity : oldestOf(others);
    const passed = batch.filter(({ at }) => at < fence && at < oldestOf(deletions));
    if (passed.length > 0) identity(stored, passed, takeStamp());
    return finish(passed);
  };

  const applyWith = async (one: Request): Promise<boolean> => {
    if (one.queue === 'track') return applyTracks(batchWith(one));
    if (one.queue === 'identity') return applyIdentity(batchWith(one));
    if (left.some(({ queue, at }) => queue !== 'subscription' && at < one.at)) return false;
    subscribe(stored, one);
    return finish([one]);
  };

  return {
    accept: (one: Request): void => void left.push(one),
    has: (one: Request): boolean => left.includes(one),
    isEmpty: (): boolean => left.length === 0,

    /** Some request, or several in one batch. */
    async applySome(): Promise<void> {
      for (const one of shuffled(dice, left)) if (await applyWith(one)) return;
      if (left.length > 0)
        throw new Error(`they wait for each other: ${left.map(({ id }) => id).join(', ')}`);
    },
  };
};

export type Queues = ReturnType<typeof createQueues>;
