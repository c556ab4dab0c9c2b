// A schedule: an integration, and what happens to its table, its settings and its process, one after the other. All of it comes from the seed.
import { createDice, type Dice, pick } from '../../harness/dice.ts';

export const servers = ['postgresql', 'mysql'] as const;
export type ServerName = (typeof servers)[number];

/** Columns that come and go, in the table and in what the integration maps. */
export const extras = ['b', 'c'] as const;
export type Extra = (typeof extras)[number];

export const slots = ['first', 'second'] as const;
export type Slot = (typeof slots)[number];

export interface Plan {
  server: ServerName;
  /** `increments`: attributes from a payload, each version of a row with an increment. */
  data: 'attributes' | 'increments' | 'events' | 'purchases';
  mode: 'incremental' | 'diff';
  onRemoved: 'ignore' | 'null' | 'delete';
  /** Times are the begin of their five seconds, so that a row changes within one time. */
  isCoarse: boolean;
  /** The settings name the columns. */
  isMapped: boolean;
  /** Requests are applied a while after they were sent. */
  isLate: boolean;
  lookBackSeconds: number;
}

/** All columns of a row follow from its number. */
export interface Write {
  key: string;
  n: number;
}

/** In the middle of a sync. */
type Meanwhile =
  | { do: 'write'; writes: readonly Write[]; behind: number }
  | { do: 'end'; slot: Slot; how: 'commit' | 'rollback' };

export type Act =
  | Meanwhile
  | { do: 'remove'; keys: readonly string[] }
  | { do: 'begin'; slot: Slot; isTwoPhase: boolean }
  | { do: 'hold'; slot: Slot; writes: readonly Write[]; savepoint?: 'release' | 'rollback' }
  | { do: 'prepare'; slot: Slot }
  | { do: 'show'; columns: readonly Extra[] }
  | { do: 'map'; columns: readonly Extra[] }
  | { do: 'rename'; isAway: boolean }
  | { do: 'connect'; how: 'right' | 'wrong password' | 'wrong database' | 'wrong port' }
  | { do: 'name'; isRight: boolean }
  | { do: 'pause'; paused: boolean }
  /** The process dies at this step, or something else is done there. `isGood`: nothing hinders it. */
  | { do: 'sync'; isGood?: boolean; death?: number; meanwhile?: { at: number; act: Meanwhile } }
  /** For longer than a sync takes; or until another coarse time has begun. */
  | { do: 'wait'; isForNext?: true };

export interface Schedule {
  seed: number;
  plan: Plan;
  acts: readonly Act[];
}

export const coarseSeconds = 5;

/** People and rows of the schedule that are changed. */
const keys = Array.from({ length: 6 }, (_, n) => `k${n}`);

/** Those that nothing else changes: what is lost of a transaction stays so. */
const heldKeys = [...keys, 'h0', 'h1', 'h2'];

/** Beyond the steps of a sync of one request. */
const mostSteps = 14;

/** By the dice; each kind as often as it stands here. */
const kinds: readonly Act['do'][] = [
  ...(['write', 'write', 'write', 'write', 'remove', 'begin', 'begin', 'hold', 'hold', 'hold'] as const),
  ...(['prepare', 'prepare', 'end', 'show', 'map', 'rename', 'connect', 'name', 'pause'] as const),
  ...(['sync', 'sync', 'sync', 'sync', 'sync', 'sync'] as const),
];

const planOf = (dice: Dice): Plan => {
  const data = pick(dice, ['attributes', 'attributes', 'increments', 'events', 'purchases'] as const);
  const mode = pick(dice, ['incremental', 'incremental', 'incremental', 'diff'] as const);
  const mayRemove = data === 'attributes' && mode === 'diff';
  const isCoarse = mode === 'incremental' && dice.below(3) === 0;
  return {
    server: pick(dice, ['postgresql', 'postgresql', 'mysql'] as const),
    data,
    mode,
    onRemoved: mayRemove ? pick(dice, ['ignore', 'null', 'delete'] as const) : 'ignore',
    isCoarse,
    isMapped: data !== 'increments' && dice.below(2) === 0,
    isLate: dice.below(2) === 0,
    // A coarse time lies before the transaction.
    lookBackSeconds: isCoarse ? coarseSeconds : pick(dice, [0, 0, 0, coarseSeconds] as const),
  };
};

const firstFresh = 100;

/** Whether rows may say it more than once. */
export const isRepeated = (n: number): boolean => n < firstFresh;

/** What a schedule has come to, so that each act is possible and nothing happens that the documentation calls lost. */
const createState = (plan: Plan) => ({
  plan,
  open: new Map<Slot, { isTwoPhase: boolean; isPrepared: boolean; keys: Set<string> }>(),
  shown: [...extras] as readonly Extra[],
  mapped: [...extras] as readonly Extra[],
  isAway: false,
  isRight: true,
  isNamed: true,
  paused: false,
  /** Whether a sync has come to its end: before it, the begin of a prepared transaction is known by nobody. */
  hasSynced: false,
  /** Numbers are different, unless a row is to say again what it said before. */
  next: firstFresh,
});

type State = ReturnType<typeof createState>;

const isLocked = ({ open }: State, key: string): boolean =>
  [...open.values()].some((one) => one.keys.has(key));

const someOf = <One>(dice: Dice, all: readonly One[]): One[] => all.filter(() => dice.below(3) === 0);

const fresh = (state: State): number => {
  state.next += 1;
  return state.next;
};

/** Attributes may go gold, free and gold again. */
const writesOf = (dice: Dice, state: State, chosen: readonly string[], mayRepeat = true): Write[] =>
  chosen.map((key) => ({
    key,
    n: mayRepeat && state.plan.data === 'attributes' ? dice.below(3) : fresh(state),
  }));

const write = (dice: Dice, state: State): Meanwhile | undefined => {
  const { lookBackSeconds, isCoarse } = state.plan;
  const free = someOf(dice, keys).filter((key) => !isLocked(state, key));
  const behind = lookBackSeconds > 0 && !isCoarse && dice.below(4) === 0 ? 1 + dice.below(3) : 0;
  return free.length === 0
    ? undefined
    : { do: 'write', writes: writesOf(dice, state, free, behind === 0), behind };
};

const slotWhere = (
  dice: Dice,
  { open }: State,
  isGood: (one: { isTwoPhase: boolean; isPrepared: boolean } | undefined) => boolean,
): Slot | undefined => {
  const good = slots.filter((slot) => isGood(open.get(slot)));
  return good.length === 0 ? undefined : pick(dice, good);
};

const end = (dice: Dice, state: State): Meanwhile | undefined => {
  const slot = slotWhere(dice, state, (one) => one !== undefined);
  if (!slot) return undefined;
  state.open.delete(slot);
  return { do: 'end', slot, how: dice.below(3) === 0 ? 'rollback' : 'commit' };
};

const canSync = ({ plan, paused, isAway, isRight, isNamed, mapped, shown }: State): boolean =>
  !paused && !isAway && isRight && isNamed && (!plan.isMapped || mapped.every((one) => shown.includes(one)));

const sync = (dice: Dice, state: State): Act => {
  const at = 1 + dice.below(mostSteps);
  const way = dice.below(5);
  if (way === 0) return { do: 'sync', death: at };
  const isGood = canSync(state);
  const good = isGood && { isGood };
  if (way === 1) {
    const act = dice.below(2) === 0 ? end(dice, state) : write(dice, state);
    if (act) return { do: 'sync', ...good, meanwhile: { at, act } };
  }
  state.hasSynced ||= isGood;
  return { do: 'sync', ...good };
};

/** Within one time, rows that differ in a new column only are the same as before: so the next one begins first. */
const isSettled = ({ plan, open }: State): boolean => !plan.isCoarse || open.size === 0;

const columns = (dice: Dice, state: State, what: 'show' | 'map'): Act | undefined => {
  if (!isSettled(state) || (what === 'map' && !state.plan.isMapped)) return undefined;
  const chosen = extras.filter(() => dice.below(2) === 0);
  state[what === 'show' ? 'shown' : 'mapped'] = chosen;
  return { do: what, columns: chosen };
};

/** `undefined`: not now. */
const makers: { readonly [Kind in Act['do']]: (dice: Dice, state: State) => Act | undefined } = {
  write,
  end,
  sync,
  show: (dice, state) => columns(dice, state, 'show'),
  map: (dice, state) => columns(dice, state, 'map'),
  wait: () => ({ do: 'wait' }),
  remove(dice, state) {
    const chosen = someOf(dice, keys).filter((key) => !isLocked(state, key));
    return chosen.length === 0 ? undefined : { do: 'remove', keys: chosen };
  },
  begin(dice, state) {
    const slot = slotWhere(dice, state, (one) => one === undefined);
    if (!slot) return undefined;
    const isTwoPhase = dice.below(2) === 0;
    state.open.set(slot, { isTwoPhase, isPrepared: false, keys: new Set() });
    return { do: 'begin', slot, isTwoPhase };
  },
  hold(dice, state) {
    const slot = slotWhere(dice, state, (one) => one?.isPrepared === false);
    const open = slot && state.open.get(slot);
    const free = someOf(dice, heldKeys).filter((key) => open?.keys.has(key) || !isLocked(state, key));
    if (!open || free.length === 0) return undefined;
    for (const key of free) open.keys.add(key);
    const savepoint = pick(dice, [undefined, undefined, 'release', 'rollback'] as const);
    return { do: 'hold', slot, writes: writesOf(dice, state, free, false), ...(savepoint && { savepoint }) };
  },
  prepare(dice, state) {
    const slot = slotWhere(dice, state, (one) => one?.isTwoPhase === true && !one.isPrepared);
    const open = slot && state.open.get(slot);
    if (!open || !state.hasSynced) return undefined;
    open.isPrepared = true;
    return { do: 'prepare', slot };
  },
  rename(_, state) {
    state.isAway = !state.isAway;
    return { do: 'rename', isAway: state.isAway };
  },
  connect(dice, state) {
    const how = state.isRight
      ? pick(dice, ['wrong password', 'wrong database', 'wrong port'] as const)
      : 'right';
    state.isRight = !state.isRight;
    return { do: 'connect', how };
  },
  /** Another table begins anew: what counts would count again, and what is removed meanwhile is forgotten. */
  name(_, state) {
    const { data, mode } = state.plan;
    const isPrepared = [...state.open.values()].some((one) => one.isPrepared);
    if (data !== 'attributes' || mode === 'diff' || isPrepared) return undefined;
    state.isNamed = !state.isNamed;
    state.hasSynced = false;
    return { do: 'name', isRight: state.isNamed };
  },
  pause(_, state) {
    state.paused = !state.paused;
    return { do: 'pause', paused: state.paused };
  },
};

/** All transactions end, everything is mended, and what is there is synced. A job that was left over goes on behind its cursor, so there are two. */
const endsOf = (dice: Dice, state: State): Act[] => [
  ...slots.flatMap((): Act[] => [end(dice, state)].flatMap((one) => one ?? [])),
  { do: 'rename', isAway: false },
  { do: 'connect', how: 'right' },
  { do: 'name', isRight: true },
  { do: 'show', columns: [...extras] },
  { do: 'pause', paused: false },
  { do: 'sync' },
  { do: 'sync' },
];

/** More than one request has. */
const manyRows = (dice: Dice, state: State): Act => {
  const all = Array.from({ length: dice.below(2) === 0 ? 1_100 : 120 }, (_, n) => `m${n}`);
  return { do: 'write', writes: writesOf(dice, state, all), behind: 0 };
};

/** Where nothing can be read, most acts show nothing: soon it is mended. */
const mends: readonly [kind: Act['do'], isDue: (state: State) => boolean][] = [
  ['rename', ({ isAway }) => isAway],
  ['connect', ({ isRight }) => !isRight],
  ['name', ({ isNamed }) => !isNamed],
  ['pause', ({ paused }) => paused],
];

const nextKind = (dice: Dice, state: State): Act['do'] => {
  const due = mends.find(([, isDue]) => isDue(state));
  return due && dice.below(3) === 0 ? due[0] : pick(dice, kinds);
};

const isLayout = ({ do: kind }: Act): boolean => kind === 'show' || kind === 'map';

/** Transactions are held for a while, and others go on: a sync reads rows that are later. */
const followed = (dice: Dice, act: Act, state: State): Act[] => {
  if (state.plan.isCoarse && isLayout(act)) return [act, { do: 'wait', isForNext: true }];
  if (act.do !== 'hold' || dice.below(2) === 0) return [act];
  const others = [write(dice, state), sync(dice, state)].flatMap((one) => one ?? []);
  return [act, { do: 'wait' }, ...others];
};

export const scheduleOf = (seed: number): Schedule => {
  // Dice of neighbours begin alike.
  const dice = createDice(Math.imul(seed, 2_654_435_761));
  const plan = planOf(dice);
  const state = createState(plan);
  const acts: Act[] = dice.below(5) === 0 ? [manyRows(dice, state)] : [];
  const length = 8 + dice.below(24);
  for (let n = 0; n < length; n += 1) {
    const act = makers[nextKind(dice, state)](dice, state);
    if (act) acts.push(...followed(dice, act, state));
  }
  return { seed, plan, acts: [...acts, ...endsOf(dice, state)] };
};
