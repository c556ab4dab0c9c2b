/** Histories with a name: the promises that a fault of their own is about. Each phase is sent when the one before was answered. */
import { createDice, shuffled } from '../harness/dice.ts';
import type { History } from './history.ts';
import type { Operation } from './model.ts';
import type { AliasRef, Contact, Ref } from './state.ts';
import { identify, merge, remove, type Track, track } from './track.ts';

type Phases = (readonly Operation[])[];

/** What is not waited for is still under way when the next is sent. */
const historyOf = (phases: Phases, seed: number, sent?: History['sent']): History => ({
  seed,
  beginning: [],
  phases: phases.map((phase) => [...phase]),
  waits: false,
  ...(sent && { sent }),
});

/** Each phase is one request. */
const all = (requests: readonly (readonly Operation[])[]): History[] =>
  requests.map((some, n) =>
    historyOf(
      some.map((one) => [one]),
      n,
    ),
  );

const alias: AliasRef = { label: 'web', name: 'c' };
const visitor: Ref = { alias };
const ext = (id: string): Ref => ({ ext: id });

/** By an alias, which an event never creates, and by an email that somebody has got just now. */
export const early = all([
  [
    track(visitor, 't0', { parts: 'attributes', may: 'create' }),
    track(visitor, 't1', { parts: 'event' }),
    track(ext('p0'), 't2', { parts: 'attributes', email: 'm0' }),
    track({ email: 'm0' }, 't3', { parts: 'attributes' }),
  ],
]);

const contacts: (Contact & Pick<Track, 'email' | 'phone'>)[] = [{ email: 'm0' }, { phone: 'f0' }];

/** An entry by an email or phone of nobody, with and without `_update_existing_only`; then a person gets it. */
export const laterOwner = all(
  contacts.flatMap((contact) =>
    (['attributes', 'event', 'purchase'] as const).flatMap((parts) =>
      (['usual', 'update'] as const).map((may) => [
        track(contact, 't0', { parts, may }),
        track(ext('p0'), 't1', { parts: 'attributes', ...contact }),
      ]),
    ),
  ),
);

/** One attribute is set over and over. */
export const lastWins = all([
  Array.from({ length: 20 }, (_, n) => track(ext('p0'), `t${n}`, { parts: 'attributes' })),
]);

const happening = (who: Ref, token: string): Track => track(who, token, { parts: 'all', may: 'create' });

/** Something happens, and then who that is changes. */
export const inOrder = all([
  [happening(visitor, 't0'), identify('p0', visitor)],
  [happening(visitor, 't0'), happening(ext('p0'), 't1'), identify('p0', visitor)],
  [happening(ext('p0'), 't0'), happening(ext('p1'), 't1'), merge(ext('p0'), ext('p1'))],
  [happening(ext('p0'), 't0'), remove(ext('p0'))],
  [happening(ext('p0'), 't0'), { do: 'alias-new', alias, ext: 'p0' }],
  [happening(ext('p0'), 't0'), { do: 'rename', from: 'p0', to: 'q0' }],
]);

const below = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const happeningsOf = (who: Ref, count: number, name = 't'): Track[] =>
  below(count).map((n) => happening(who, `${name}${n}`));

const person = (n: number): Ref => ext(`p${n}`);

/** Each exists, and has events and purchases. */
const people = (count: number): Track[] => below(count).map((n) => happening(person(n), `b${n}`));

const inACircle = (count: number): Phases => [
  people(count),
  below(count).map((n) => merge(person(n), person((n + 1) % count))),
];

const intoThemselves: Phases = [
  people(1),
  [{ do: 'alias-new', alias, ext: 'p0' }],
  [merge(person(0), person(0)), merge(visitor, person(0)), merge(person(0), visitor)],
];

/** Each into the next person, in any order. */
const chain = (links: number, seed: number): Phases => [
  people(links + 1),
  shuffled(
    createDice(seed),
    below(links).map((n) => merge(person(n), person(n + 1))),
  ),
];

/** Of people who are merged and identified at the same moment. */
const meanwhile: Phases = [
  [...people(2), happening(visitor, 'b2')],
  [
    ...happeningsOf(person(0), 3, 'away'),
    ...happeningsOf(person(1), 2, 'kept'),
    merge(person(0), person(1)),
    identify('p1', visitor),
    ...happeningsOf(person(0), 3, 'later'),
    ...happeningsOf(visitor, 3, 'visitor'),
  ],
];

/** Forty callers bring the same person at once. */
const creations: Phases[] = [
  [happeningsOf(person(0), 40)],
  [happeningsOf({ email: 'm0' }, 40)],
  [[...happeningsOf(visitor, 20), ...below(20).map((): Operation => ({ do: 'alias-new', alias }))]],
];

const visitors: AliasRef[] = below(5).map((n) => ({ label: `label-${n}`, name: `v${n}` }));

const aliasesOfOne = (isThere: boolean): Phases => [
  [...people(isThere ? 1 : 0), ...visitors.map((one) => happening({ alias: one }, one.name))],
  visitors.map((one) => identify('p0', { alias: one })),
];

/** Names are swapped, or passed on by way of one that is free. */
const renamed = (...pairs: readonly (readonly [from: string, to: string])[]): Phases => [
  ['a', 'b'].map((name) => happening({ alias: { label: 'mail', name } }, name)),
  pairs.map(([from, to]) => ({ do: 'alias-update', label: 'mail', from, to })),
];

/** Older requests are still queued when a person is deleted; who is created after that has none of their data. */
const deleted: Phases = [happeningsOf(person(0), 5), [remove(person(0))]];

export const comingBack = historyOf([...deleted, [happening(person(0), 'new')]], 0);

const atOnceOrInOne = (phases: Phases[], how: History['sent'][] = [undefined, 'in one request']) =>
  how.flatMap((sent) => phases.map((one, n) => historyOf(one, n, sent)));

export const races: History[] = [
  ...atOnceOrInOne([inACircle(2), inACircle(3)], [undefined, 'in one request', 'a moment apart']),
  ...atOnceOrInOne([intoThemselves, aliasesOfOne(true), aliasesOfOne(false)]),
  ...atOnceOrInOne([renamed(['a', 'b'], ['b', 'a']), renamed(['a', 'c'], ['b', 'a'], ['c', 'b'])]),
  ...atOnceOrInOne([meanwhile, ...creations, deleted], [undefined]),
  comingBack,
];

/** Fifty in one request. */
export const chains: History[] = [1, 2].map((seed) => historyOf(chain(50, seed), seed, 'in one request'));
