/** Histories with a name: the promises that a fault of their own is about. Each phase is one request, sent when the one before was answered. */
import type { History } from './history.ts';
import type { Operation } from './model.ts';
import type { AliasRef, Contact, Ref } from './state.ts';
import { type Track, track } from './track.ts';

type Requests = readonly Operation[];

/** One after the other. What is not waited for is still under way when the next is sent. */
const inTurn = (requests: Requests, n: number): History => ({
  seed: n,
  beginning: [],
  phases: requests.map((one) => [one]),
  waits: false,
});

const all = (requests: readonly Requests[]): History[] => requests.map(inTurn);

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

const identify: Operation = { do: 'identify', ext: 'p0', visitor: { who: visitor }, merge: true };

/** Something happens, and then who that is changes. */
export const inOrder = all([
  [happening(visitor, 't0'), identify],
  [happening(visitor, 't0'), happening(ext('p0'), 't1'), identify],
  [
    happening(ext('p0'), 't0'),
    happening(ext('p1'), 't1'),
    { do: 'merge', from: { who: ext('p0') }, into: { who: ext('p1') } },
  ],
  [happening(ext('p0'), 't0'), { do: 'delete', named: { who: ext('p0') } }],
  [happening(ext('p0'), 't0'), { do: 'alias-new', alias, ext: 'p0' }],
  [happening(ext('p0'), 't0'), { do: 'rename', from: 'p0', to: 'q0' }],
]);
