/** Histories that once could not be explained, as small as they still failed. They are played before the random ones. */
import type { History } from './history.ts';
import type { Named, Operation } from './model.ts';
import type { Ref } from './state.ts';
import { identify, merge, remove, type Track, track } from './track.ts';

const begin = (who: Ref, token: string, more: Partial<Track> = {}): Track =>
  track(who, token, { parts: 'attributes', may: 'create', ...more });

const once = (seed: number, beginning: Track[], ...phases: Operation[][]): History => ({
  seed,
  beginning,
  phases,
});

const [p0, p1, p2]: [Ref, Ref, Ref] = [{ ext: 'p0' }, { ext: 'p1' }, { ext: 'p2' }];
const mailA: Ref = { alias: { label: 'mail', name: 'a' } };
const mailB: Ref = { alias: { label: 'mail', name: 'b' } };
const m0: Ref = { email: 'm0' };
const m1: Ref = { email: 'm1' };
const f0: Ref = { phone: 'f0' };

const unidentified = (who: Ref): Named => ({ who, prefer: ['unidentified'] });
const lastIdentified = (who: Ref): Named => ({ who, prefer: ['identified', 'most_recently_updated'] });

const renameA: Operation = { do: 'alias-update', label: 'mail', from: 'a', to: 'b' };

/** Phases of two events. */
const eventsInTurn: Track[][] = ['t1', 't2', 't3', 't4'].map((token) =>
  ['', 'x'].map((more) => track(mailA, `${token}${more}`, { parts: 'event' })),
);

export const found: readonly History[] = [
  // A consent that was said after the answer to a merge did not count.
  once(
    1054,
    [begin(p0, 'b0'), begin(mailB, 'b1', { phone: 'f0' })],
    [merge(p0, mailB)],
    [{ do: 'subscribe', who: { ext: 'p0' }, register: 'texts', state: 'unsubscribed' }],
  ),
  // A merge took what was sent after its answer.
  once(
    2062,
    [begin(p1, 'b0'), begin(p2, 'b1')],
    [merge(p2, p1)],
    [track(p2, 't1', { parts: 'event', may: 'update' })],
  ),
  once(
    2212,
    [begin(p0, 'b0', { email: 'm0' })],
    [merge(p2, { who: m0, prefer: ['identified'] })],
    [track(p2, 't1')],
  ),
  // An entry by an email did not find who had got it just before.
  once(
    5339,
    [begin(p1, 'b0', { email: 'm0' }), begin(mailB, 'b1', { email: 'm1' })],
    [track(p1, 't0', { email: 'm1' })],
    [track(m1, 't1', { parts: 'attributes', may: 'update' })],
    [track(p1, 't2', { parts: 'event' })],
  ),
  // A deletion by an email removed what was sent at the same moment.
  once(
    7235,
    [begin(p0, 'b0', { email: 'm0' })],
    [
      remove(lastIdentified(m0)),
      track(p0, 't0', { may: 'create', email: 'm1', says: { texts: 'unsubscribed' } }),
    ],
  ),
  // A statement about a person did not come over with a merge at the same time.
  once(
    30067,
    [begin(p1, 'b0')],
    [merge(mailA, p1), track(mailA, 't0', { may: 'create', says: { push: 'subscribed' } })],
  ),
  // The same while they were identified without a merge.
  once(
    30111,
    [begin(p0, 'b0'), begin(mailA, 'b1')],
    [
      identify('p0', mailA, false),
      track(mailA, 't0', { parts: 'attributes', says: { email: 'unsubscribed' } }),
    ],
  ),
  // An email that was removed while its owner was merged by that email was removed from the kept person, and nothing else of the entry counted.
  once(
    500251,
    [begin(p0, 'b0', { email: 'm1' }), begin(mailB, 'b1', { phone: 'f0' })],
    [
      merge(unidentified(m1), unidentified(f0)),
      track({ svc: 'p0' }, 't0', { parts: 'attributes', may: 'create', email: null }),
    ],
  ),
  // A person who began after a merge was accepted was merged too: they shared the phone that named another person.
  once(
    77288,
    [begin(p2, 'b0', { email: 'm0', phone: 'f0' })],
    [merge(unidentified(f0), p0), track(p0, 't0', { parts: 'attributes', phone: 'f0' })],
  ),
  // A visitor was identified as a person who was deleted at the same moment: neither deleted with them, nor given the free id.
  once(600678, [begin(p2, 'b0'), begin(mailA, 'b1', { email: 'm0' })], [identify('p2', mailA), remove(p2)]),
  // A consent of a person who began after an identify counted for the email that came over, and for who shared it.
  once(
    610310,
    [begin(p2, 'b0', { email: 'm0' }), begin(mailB, 'b1', { email: 'm0', phone: 'f0' })],
    [
      identify('p0', unidentified(m0)),
      track(p0, 't0', { parts: 'attributes', may: 'create', phone: 'f0', says: { email: 'opted_in' } }),
    ],
  ),
  // The phone that had named a person in a merge was removed from the kept person, and the rest of that request was lost.
  once(
    5002845,
    [begin(p0, 'b0'), begin(p1, 'b1', { phone: 'f0' })],
    [merge(unidentified(f0), p0), track(p1, 't0', { parts: 'attributes', phone: null })],
  ),
  // A merge by an email found nobody, because another merge, accepted later and applied earlier, had just moved the email.
  once(
    7841,
    [begin(p0, 'b0'), begin(p1, 'b1'), begin(mailA, 'b2', { email: 'm0' })],
    [merge(unidentified(m0), p1), merge(p0, lastIdentified(m0))],
  ),
  // A consent by an email was applied after a person had left the email, and was forgotten with the last owner of it.
  once(
    455657,
    [begin(p0, 'b0', { email: 'm0' }), begin(p1, 'b1', { email: 'm0' })],
    [track(m0, 't0', { parts: 'attributes', says: { email: 'opted_in' } })],
    [track(p1, 't1', { email: 'm1' })],
    [remove(p0)],
  ),
  // Made for the control without tombstones: of events that are sent one after the other while their alias goes, a late one is lost.
  once(1, [begin(p0, 'b0'), begin(mailA, 'b1')], [identify('p0', mailA)], ...eventsInTurn),
  once(2, [begin(mailA, 'b0')], [renameA], ...eventsInTurn),
];

/** The same with more of them. */
export const goingAlias = once(
  1,
  [begin(mailA, 'b0')],
  [renameA],
  ...Array.from({ length: 10 }, (_, n) => [track(mailA, `t${n}`, { parts: 'event' })]),
);

/** Made for the control without the wait for deletions: what is sent after the answer to a deletion that is not applied yet goes with the person. */
export const afterDeletion = once(
  1,
  [begin(p0, 'b0')],
  [remove(p0)],
  ...Array.from({ length: 4 }, (_, n) => [track(p0, `t${n}`, { parts: 'event', may: 'create' })]),
);
