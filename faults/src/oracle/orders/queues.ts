/** Accepted requests, applied in a random order that fences and waits allow (docs/adr/0014, 0017, 0032). */
import {
  identityKeysIn,
  keyParts,
  namesIn,
  type PeopleInMemory,
  type Stamp,
  demoWorkspace as ws,
} from '@roster/profile';
import type { Dice } from '../../harness/dice.ts';
import { identity, subscribe, track, type Waiting } from './apply.ts';
import type { Identified, Request, Tracked } from './requests.ts';

/** A protection that is off: the fence of identity, or the wait of tracks for what was accepted before. */
export type Without = 'fence' | 'wait';

export const shuffled = <One>(dice: Dice, all: readonly One[]): One[] => {
  const rest = [...all];
  return all.flatMap(() => rest.splice(dice.below(rest.length), 1));
};

const isTracked = (one: Request): one is Tracked => one.family === 'track';
const isIdentified = (one: Request): one is Identified => one.family === 'identity';
const isDeletion = ({ entry }: Identified): boolean => entry.do === 'delete';

const oldestOf = (all: readonly Request[]): Stamp => Math.min(...all.map(({ at }) => at), Infinity);

const isContact = (key: string): boolean => ['email', 'phone'].includes(keyParts(key)?.by ?? '');

/** The deletions under way, as tracks see them. */
const pendingIn = (unfinished: readonly Identified[]) => {
  const oldest = oldestOf(unfinished.filter(isDeletion));
  const names = new Set(unfinished.flatMap(({ entry }) => identityKeysIn(ws, entry)));
  return {
    oldest,
    byContact: [...names].some(isContact),
    deletions: {
      mayConcern: ({ at }: { at: Stamp }) => at > oldest,
      isNamed: (key: string) => names.has(key),
    },
  };
};

export const createQueues = (
  stored: PeopleInMemory,
  dice: Dice,
  takeStamp: () => Stamp,
  without?: Without,
) => {
  let left: Request[] = [];
  const due = new Set<string>();

  const finish = (batch: readonly Request[]): true => {
    left = left.filter((one) => !batch.includes(one));
    return true;
  };

  /** A worker has one request in hand, or several in the order of their stamps. */
  const batchWith = <Some extends Request>(first: Some, isAlike: (one: Request) => one is Some): Some[] => {
    if (dice.below(3) > 0) return [first];
    const some = left.filter(isAlike).filter((one) => one === first || dice.below(2) === 0);
    return some.sort((a, b) => a.at - b.at);
  };

  const oldestBeside = (batch: readonly Request[]): Stamp =>
    oldestOf(left.filter(isTracked).filter((one) => !batch.includes(one)));

  /** Whether an unfinished request that was accepted before this one names one of the people. */
  const isNamedEarlier = (names: readonly string[], { at }: Tracked, beside: readonly Request[]): boolean => {
    const wanted = new Map(names.map((name) => [name, true]));
    let isNamed = false;
    for (const one of left)
      if (one.at < at && !beside.includes(one)) namesIn(one, wanted, () => (isNamed = true));
    return isNamed && without !== 'wait';
  };

  /** Requests that go back to the queue. Requests that are the oldest of all need not wait any more. */
  const postponedIn = (batch: readonly Tracked[], { premature, waits, ranked }: Waiting) => {
    const postponed = new Set(waits);
    // Whatever goes back to the queue is unfinished for those behind it, too.
    for (const one of batch) {
      const names = ranked.find(({ id }) => id === one.id)?.names ?? [];
      const applied = batch.filter(({ id }) => !postponed.has(id));
      if (isNamedEarlier(names, one, applied)) postponed.add(one.id);
    }
    const oldest = oldestBeside(batch);
    let isAfterOther = false;
    for (const { id, at } of batch) {
      const isFirst = without === 'wait' || (oldest > at && !isAfterOther);
      if (premature.includes(id)) (isFirst ? due : postponed).add(id);
      if (postponed.has(id)) isAfterOther = true;
    }
    return postponed;
  };

  const applyTracks = (batch: readonly Tracked[], lookedUp: ReadonlySet<string> = new Set()): boolean => {
    const { oldest, byContact, deletions } = pendingIn(left.filter(isIdentified));
    const mayGo = ({ at }: Tracked): boolean => !byContact || at < oldest || oldestBeside(batch) > oldest;
    const timely = batch.filter(mayGo);
    if (timely.length === 0) return false;
    const waiting = track(stored, timely, { due, lookedUp, deletions });
    if (!waiting) return finish(timely);
    const postponed = postponedIn(timely, waiting);
    const looked = new Set([...lookedUp, ...waiting.ranked.map(({ id }) => id)]);
    return applyTracks(
      timely.filter(({ id }) => !postponed.has(id)),
      looked,
    );
  };

  const applyIdentity = (batch: readonly Identified[]): boolean => {
    const deletions = left.filter(isIdentified).filter((one) => isDeletion(one) && !batch.includes(one));
    const others = left.filter(({ family }) => family !== 'identity');
    const fence = without === 'fence' ? Infinity : oldestOf(others);
    const passed = batch.filter(({ at }) => at < fence && at < oldestOf(deletions));
    if (passed.length === 0) return false;
    identity(stored, passed, takeStamp());
    return finish(passed);
  };

  const applyWith = (one: Request): boolean => {
    if (isTracked(one)) return applyTracks(batchWith(one, isTracked));
    if (isIdentified(one)) return applyIdentity(batchWith(one, isIdentified));
    if (left.some(({ family, at }) => family !== 'subscription' && at < one.at)) return false;
    subscribe(stored, one);
    return finish([one]);
  };

  return {
    accept: (one: Request): void => void left.push(one),
    has: (one: Request): boolean => left.includes(one),
    isEmpty: (): boolean => left.length === 0,

    /** Some request, or several in one batch. */
    applySome(): void {
      if (!shuffled(dice, left).some(applyWith) && left.length > 0)
        throw new Error(`they wait for each other: ${left.map(({ id }) => id).join(', ')}`);
    },
  };
};

export type Queues = ReturnType<typeof createQueues>;
