/** Accepted requests, applied in a random order that fences and waits allow (docs/adr/identity.md, docs/adr/order.md). */
import { identityKeysIn, keyParts, namesIn, type Stamp } from '@roster/profile';
import { type PeopleInMemory, demoWorkspace as ws } from '@roster/testkit';
import { type Dice, shuffled } from '../../harness/dice.ts';
import { identity, subscribe, track, type Waiting } from './apply.ts';
import type { Identified, Request, Tracked } from './requests.ts';

/** A protection that is off: the fence of identity, or the wait of tracks for what was accepted before. */
export type Without = 'fence' | 'wait';

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

/** Whether an unfinished request that was accepted before this one names one of the people. */
const isNamedEarlier = (
  unfinished: readonly Request[],
  names: readonly string[],
  { at }: Tracked,
): boolean => {
  const wanted = new Map(names.map((name) => [name, true]));
  let isNamed = false;
  for (const one of unfinished) if (one.at < at) namesIn(one, wanted, () => (isNamed = true));
  return isNamed;
};

/** Requests of a batch that go back to the queue for others that are named before them. What goes back is unfinished for those behind it, too. */
const behindOthers = (
  left: readonly Request[],
  batch: readonly Tracked[],
  unknown: Waiting['unknown'],
  before: ReadonlySet<string>,
): Set<string> => {
  const postponed = new Set(before);
  for (const one of batch) {
    const names = unknown.find(({ id }) => id === one.id)?.names ?? [];
    const applied = new Set(batch.filter(({ id }) => !postponed.has(id)).map(({ id }) => id));
    const unfinished = left.filter(({ id }) => !applied.has(id));
    if (isNamedEarlier(unfinished, names, one)) postponed.add(one.id);
  }
  return postponed;
};

/** Accepted requests that are not applied yet. */
const createUnfinished = (dice: Dice) => {
  let left: Request[] = [];

  return {
    all: (): readonly Request[] => left,
    identities: (): Identified[] => left.filter(isIdentified),
    add: (one: Request): void => void left.push(one),

    finish(batch: readonly Request[]): true {
      left = left.filter((one) => !batch.includes(one));
      return true;
    },

    /** A worker has one request in hand, or several in the order of their stamps. */
    batchWith<Some extends Request>(first: Some, isAlike: (one: Request) => one is Some): Some[] {
      if (dice.below(3) > 0) return [first];
      const some = left.filter(isAlike).filter((one) => one === first || dice.below(2) === 0);
      return some.sort((a, b) => a.at - b.at);
    },

    oldestTrackBeside: (batch: readonly Request[]): Stamp =>
      oldestOf(left.filter(isTracked).filter((one) => !batch.includes(one))),
  };
};

type Unfinished = ReturnType<typeof createUnfinished>;

/** Which tracks wait, by the rules of services/track. */
const createWaits = ({ all, oldestTrackBeside }: Unfinished, without: Without | undefined) => {
  const due = new Set<string>();

  /** Those that are the oldest of all, and after no other one of the batch that waits, are due. */
  const findFirst = (
    batch: readonly Tracked[],
    some: readonly string[],
    postponed: ReadonlySet<string>,
  ): void => {
    const oldest = oldestTrackBeside(batch);
    let isAfterOther = false;
    for (const { id, at } of batch) {
      if (postponed.has(id)) isAfterOther = true;
      else if (some.includes(id) && (without === 'wait' || (oldest > at && !isAfterOther))) due.add(id);
    }
  };

  /** Requests that go back to the queue. */
  const postponedIn = (batch: readonly Tracked[], { waits, premature, unknown }: Waiting) => {
    const postponed = new Set(waits);
    findFirst(batch, premature, postponed);
    for (const id of premature) if (!due.has(id)) postponed.add(id);
    findFirst(
      batch,
      unknown.map(({ id }) => id),
      postponed,
    );
    if (without === 'wait') return postponed;
    const others = unknown.filter(({ id }) => !due.has(id));
    return behindOthers(all(), batch, others, postponed);
  };

  return { due, postponedIn };
};

export const createQueues = (
  stored: PeopleInMemory,
  dice: Dice,
  takeStamp: () => Stamp,
  without?: Without,
) => {
  const unfinished = createUnfinished(dice);
  const { finish, oldestTrackBeside, batchWith } = unfinished;
  const { due, postponedIn } = createWaits(unfinished, without);

  const applyTracks = (batch: readonly Tracked[], lookedUp: ReadonlySet<string> = new Set()): boolean => {
    const { oldest, byContact, deletions } = pendingIn(unfinished.identities());
    const mayGo = ({ at }: Tracked): boolean =>
      !byContact || at < oldest || oldestTrackBeside(batch) > oldest;
    const timely = batch.filter(mayGo);
    if (timely.length === 0) return false;
    const waiting = track(stored, timely, { due, lookedUp, deletions });
    if (!waiting) return finish(timely);
    const postponed = postponedIn(timely, waiting);
    const looked = new Set([...lookedUp, ...waiting.unknown.map(({ id }) => id)]);
    return applyTracks(
      timely.filter(({ id }) => !postponed.has(id)),
      looked,
    );
  };

  const applyIdentity = (batch: readonly Identified[]): boolean => {
    const deletions = unfinished.identities().filter((one) => isDeletion(one) && !batch.includes(one));
    const others = unfinished.all().filter(({ family }) => family !== 'identity');
    const fence = without === 'fence' ? Infinity : oldestOf(others);
    const passed = batch.filter(({ at }) => at < fence && at < oldestOf(deletions));
    if (passed.length === 0) return false;
    identity(stored, passed, takeStamp());
    return finish(passed);
  };

  const applyWith = (one: Request): boolean => {
    if (isTracked(one)) return applyTracks(batchWith(one, isTracked));
    if (isIdentified(one)) return applyIdentity(batchWith(one, isIdentified));
    if (unfinished.all().some(({ family, at }) => family !== 'subscription' && at < one.at)) return false;
    subscribe(stored, one);
    return finish([one]);
  };

  return {
    accept: unfinished.add,
    has: (one: Request): boolean => unfinished.all().includes(one),
    isEmpty: (): boolean => unfinished.all().length === 0,

    /** Some request, or several in one batch. */
    applySome(): void {
      const left = unfinished.all();
      if (left.length > 0 && !shuffled(dice, left).some(applyWith))
        throw new Error(`they wait for each other: ${left.map(({ id }) => id).join(', ')}`);
    },
  };
};

export type Queues = ReturnType<typeof createQueues>;
