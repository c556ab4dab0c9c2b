/** Random histories: a few people, few names, operations in phases, all of it from a seed. */
import { createDice, type Dice, pick as one } from '../harness/dice.ts';
import type { Named, Operation, Preference } from './model.ts';
import { apply } from './model.ts';
import { namedIn } from './ranks.ts';
import {
  type AliasRef,
  type Consents,
  type Contact,
  empty,
  isClaim,
  keyOf,
  type Ref,
  type State,
} from './state.ts';

export interface History {
  seed: number;
  /** Who is there in the beginning: one after the other, all applied before the first phase. */
  beginning: Extract<Operation, { do: 'track' }>[];
  /** Operations of a phase are sent at the same moment; the next phase begins when all of them were answered. */
  phases: Operation[][];
  /** False: callers go on once a request is accepted. Emails and phones then have one owner only, given after nobody (docs/adr/order.md). */
  waits?: false;
  /** Identity operations of a phase are sent so, not each in a request of its own at once. */
  sent?: 'in one request' | 'a moment apart';
  /** It has too many operations for the search of an order: what is there at rest is judged alone. */
  isLong?: true;
  /** Nobody is deleted, and who is identified is merged: what happened to a person stays theirs. */
  keepsAll?: true;
}

const externalIds = ['p0', 'p1', 'p2'] as const;
const renamedIds = ['q0', 'q1'] as const;
const aliases: readonly AliasRef[] = [
  { label: 'mail', name: 'a' },
  { label: 'mail', name: 'b' },
  { label: 'web', name: 'c' },
  // Nobody has it unless an alias is renamed.
  { label: 'mail', name: 'c' },
];
const contacts: readonly Contact[] = [{ email: 'm0' }, { email: 'm1' }, { phone: 'f0' }];

const often = (dice: Dice, timesInTen: number): boolean => dice.below(10) < timesInTen;

interface Context {
  dice: Dice;
  token: string;
  /** The people with known service ids. */
  svcs: readonly string[];
}

/** Of few people much is said. */
const extIn = (dice: Dice): string => one(dice, ['p0', 'p0', 'p0', 'p1', 'p1', 'p2']);
const aliasIn = (dice: Dice): AliasRef => aliases[[0, 0, 1, 2][dice.below(4)] ?? 0] ?? mailA;
const mailA: AliasRef = { label: 'mail', name: 'a' };

const byClaim = ({ dice }: Context): Ref =>
  often(dice, 7) ? { ext: extIn(dice) } : { alias: aliasIn(dice) };

const anybody = (context: Context): Ref => {
  const { dice, svcs } = context;
  if (often(dice, 2)) return one(dice, contacts);
  return svcs.length > 0 && often(dice, 2) ? { svc: one(dice, svcs) } : byClaim(context);
};

const preferences: readonly (readonly Preference[])[] = [
  ['identified'],
  ['unidentified'],
  ['most_recently_updated'],
  ['identified', 'most_recently_updated'],
];

const byContact = ({ dice }: Context): Named => ({
  who: one(dice, contacts),
  prefer: one(dice, preferences),
});

const named = (context: Context): Named =>
  often(context.dice, 3) ? byContact(context) : { who: byClaim(context) };

/** An email or phone that is given, or taken away. */
const contactOf = (dice: Dice): { email?: string | null; phone?: string | null } => {
  if (often(dice, 3)) return often(dice, 3) ? { phone: null } : { phone: 'f0' };
  return often(dice, 2) ? { email: null } : { email: one(dice, ['m0', 'm1']) };
};

const sayings: readonly Consents[] = [
  { email: 'opted_in' },
  { email: 'unsubscribed' },
  { news: 'subscribed' },
  { news: 'unsubscribed' },
  { texts: 'unsubscribed' },
  { push: 'subscribed' },
];

const track = (context: Context): Operation => {
  const { dice, token } = context;
  const who = anybody(context);
  const isByContact = 'email' in who || 'phone' in who;
  return {
    do: 'track',
    who,
    token,
    parts: one(dice, ['both', 'both', 'attributes', 'event']),
    may: one(dice, ['usual', 'usual', 'create', 'update']),
    ...(!isByContact && often(dice, 3) && contactOf(dice)),
    ...(often(dice, 3) && { says: one(dice, sayings) }),
  };
};

const renames = [
  { from: 'p0', to: 'q0' },
  { from: 'p1', to: 'q1' },
  { from: 'q0', to: 'p1' },
] as const;

const makers: readonly [weight: number, make: (context: Context) => Operation][] = [
  [10, track],
  [
    2,
    ({ dice }) => ({
      do: 'subscribe',
      ...one(dice, [
        { who: { ext: extIn(dice) }, register: 'news' },
        { who: { email: one(dice, ['m0', 'm1']) }, register: 'news' },
        { who: { ext: extIn(dice) }, register: 'texts' },
        { who: { phone: 'f0' }, register: 'texts' },
      ] as const),
      state: one(dice, ['subscribed', 'unsubscribed']),
    }),
  ],
  [
    3,
    ({ dice }) => ({
      do: 'alias-new',
      alias: aliasIn(dice),
      ...(often(dice, 6) && { ext: extIn(dice) }),
    }),
  ],
  [
    1,
    ({ dice }) => ({
      do: 'alias-update',
      label: 'mail',
      ...one(dice, [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a' },
      ]),
    }),
  ],
  [
    3,
    (context) => ({
      do: 'identify',
      ext: extIn(context.dice),
      visitor: often(context.dice, 7) ? { who: { alias: aliasIn(context.dice) } } : byContact(context),
      merge: often(context.dice, 5),
    }),
  ],
  [3, (context) => ({ do: 'merge', from: named(context), into: named(context) })],
  [
    3,
    (context) => ({
      do: 'delete',
      named:
        context.svcs.length > 0 && often(context.dice, 1)
          ? { who: { svc: one(context.dice, context.svcs) } }
          : named(context),
    }),
  ],
  [1, ({ dice }) => ({ do: 'rename', ...one(dice, renames) })],
  [1, ({ dice }) => ({ do: 'remove-id', ext: one(dice, ['p0', 'p1', 'q0']) })],
];

const weights = makers.reduce((sum, [weight]) => sum + weight, 0);

const drawn = (context: Context): Operation => {
  let rest = context.dice.below(weights);
  for (const [weight, make] of makers) {
    if (rest < weight) return make(context);
    rest -= weight;
  }
  throw new Error('the weights do not add up');
};

const given = (dice: Dice): { email?: string; phone?: string } => ({
  ...(often(dice, 5) && { email: often(dice, 7) ? 'm0' : 'm1' }),
  ...(often(dice, 3) && { phone: 'f0' }),
});

const beginningOf = (dice: Dice): History['beginning'] =>
  [
    ...externalIds.filter((_, place) => often(dice, 8 - 2 * place)).map((ext): Ref => ({ ext })),
    ...(often(dice, 5) ? [{ alias: aliasIn(dice) }] : []),
  ].map((who, place) => ({
    do: 'track',
    who,
    token: `b${place}`,
    parts: 'attributes',
    may: 'create',
    ...given(dice),
  }));

/** The name of the service id of a person who exists from the beginning. */
export const svcOf = (who: Ref): string => ('ext' in who ? who.ext : 'visitor');

/** Some are sent alone, so that most of what follows was sent after something that was not waited for. */
export const makeHistory = (dice: Dice, seed: number, length?: number): History => {
  const beginning = beginningOf(dice);
  const svcs = beginning.map(({ who }) => svcOf(who));
  const count = length ?? 5 + dice.below(5);
  const phases: Operation[][] = [];
  for (let made = 0; made < count; ) {
    const size = Math.min(count - made, 1 + dice.below(3));
    phases.push(Array.from({ length: size }, (_, n) => drawn({ dice, token: `t${made + n}`, svcs })));
    made += size;
  }
  return { seed, beginning, phases };
};

/** Seeds that follow each other must not make histories that resemble each other. */
export const scattered = (seed: number): number => Math.imul(seed + 1, 2_654_435_761) >>> 0;

export const historyOf = (seed: number): History => makeHistory(createDice(scattered(seed)), seed);

const kept = (operation: Operation): Operation[] => {
  if (operation.do === 'delete') return [];
  return [operation.do === 'identify' ? { ...operation, merge: true } : operation];
};

const keepingAll = (history: History): History => ({
  ...history,
  phases: history.phases.map((phase) => phase.flatMap(kept)),
  keepsAll: true,
});

/** New objects each time: a history is known by its object. */
export const timesEach = (times: number, some: readonly History[]): History[] =>
  Array.from({ length: times }, () => some).flatMap((all) => all.map((history) => ({ ...history })));

/** Each of so many operations about the same few people, of callers who go on once a request is accepted. Every second one deletes nobody. */
export const longHistoriesOf = (seed: number, count: number, operations: number): History[] =>
  Array.from({ length: count }, (_, n) => {
    const history = makeHistory(createDice(scattered(seed + n)), seed + n, operations);
    return { ...(n % 2 === 0 ? history : keepingAll(history)), waits: false, isLong: true };
  });

/** All people who exist from the beginning, with their service ids. */
export const initialOf = ({ beginning }: Pick<History, 'beginning'>): State => {
  let state = empty;
  for (const operation of beginning) {
    state = apply(state, operation);
    const people = state.people.map((person, place) =>
      place === state.people.length - 1 ? { ...person, svc: svcOf(operation.who) } : person,
    );
    state = { ...state, people };
  }
  return state;
};

/** Of every history. */
const claims: readonly Ref[] = [
  ...[...externalIds, ...renamedIds].map((ext) => ({ ext })),
  ...aliases.map((alias) => ({ alias })),
];

/** The names that are looked up in the end: every external id and alias; contacts that may have created a person; named service ids. */
export const askedIn = ({ phases }: History): Ref[] => {
  const all = phases.flat();
  const used = all.filter(({ do: kind }) => kind === 'track' || kind === 'delete').flatMap(namedIn);
  const asked = [...claims, ...all.flatMap(namedIn).filter(isClaim), ...used];
  return [...new Map(asked.map((who) => [keyOf(who), who])).values()];
};
