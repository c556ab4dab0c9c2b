/** Histories that once could not be explained, as small as they still failed. They are played before the random ones. */
import type { History } from './history.ts';
import type { Ref } from './state.ts';
import { type Track, track } from './track.ts';

const begin = (who: Ref, token: string, more: Partial<Track> = {}): Track =>
  track(who, token, { parts: 'attributes', may: 'create', ...more });

const [p0, p1, p2, mailB]: Ref[] = [
  { ext: 'p0' },
  { ext: 'p1' },
  { ext: 'p2' },
  { alias: { label: 'mail', name: 'b' } },
] as [Ref, Ref, Ref, Ref];
const mailA: Ref = { alias: { label: 'mail', name: 'a' } };
const m0: Ref = { email: 'm0' };
const m1: Ref = { email: 'm1' };
const f0: Ref = { phone: 'f0' };

/** Phases of two events. */
const eventsInTurn: Track[][] = ['t1', 't2', 't3', 't4'].map((token) =>
  ['', 'x'].map((more) => track(mailA, `${token}${more}`, { parts: 'event' })),
);

export const found: readonly History[] = [
  // A consent that was said after the answer to a merge did not count.
  {
    seed: 1054,
    beginning: [begin(p0, 'b0'), begin(mailB, 'b1', { phone: 'f0' })],
    phases: [
      [{ do: 'merge', from: { who: p0 }, into: { who: mailB } }],
      [{ do: 'subscribe', who: { ext: 'p0' }, register: 'texts', state: 'unsubscribed' }],
    ],
  },
  // A merge took what was sent after its answer.
  {
    seed: 2062,
    beginning: [begin(p1, 'b0'), begin(p2, 'b1')],
    phases: [
      [{ do: 'merge', from: { who: p2 }, into: { who: p1 } }],
      [track(p2, 't1', { parts: 'event', may: 'update' })],
    ],
  },
  {
    seed: 2212,
    beginning: [begin(p0, 'b0', { email: 'm0' })],
    phases: [
      [{ do: 'merge', from: { who: p2 }, into: { who: m0, prefer: ['identified'] } }],
      [track(p2, 't1')],
    ],
  },
  // An entry by an email did not find who had got it just before.
  {
    seed: 5339,
    beginning: [begin(p1, 'b0', { email: 'm0' }), begin(mailB, 'b1', { email: 'm1' })],
    phases: [
      [track(p1, 't0', { email: 'm1' })],
      [track(m1, 't1', { parts: 'attributes', may: 'update' })],
      [track(p1, 't2', { parts: 'event' })],
    ],
  },
  // A deletion by an email removed what was sent at the same moment.
  {
    seed: 7235,
    beginning: [begin(p0, 'b0', { email: 'm0' })],
    phases: [
      [
        { do: 'delete', named: { who: m0, prefer: ['identified', 'most_recently_updated'] } },
        track(p0, 't0', { may: 'create', email: 'm1', says: { texts: 'unsubscribed' } }),
      ],
    ],
  },
  // A statement about a person did not come over with a merge at the same time.
  {
    seed: 30067,
    beginning: [begin(p1, 'b0')],
    phases: [
      [
        { do: 'merge', from: { who: mailA }, into: { who: p1 } },
        track(mailA, 't0', { may: 'create', says: { push: 'subscribed' } }),
      ],
    ],
  },
  // The same while they were identified without a merge.
  {
    seed: 30111,
    beginning: [begin(p0, 'b0'), begin(mailA, 'b1')],
    phases: [
      [
        { do: 'identify', ext: 'p0', visitor: { who: mailA }, merge: false },
        track(mailA, 't0', { parts: 'attributes', says: { email: 'unsubscribed' } }),
      ],
    ],
  },
  // An email that was removed while its owner was merged by that email was removed from the kept person, and nothing else of the entry counted.
  {
    seed: 500251,
    beginning: [begin(p0, 'b0', { email: 'm1' }), begin(mailB, 'b1', { phone: 'f0' })],
    phases: [
      [
        {
          do: 'merge',
          from: { who: m1, prefer: ['unidentified'] },
          into: { who: f0, prefer: ['unidentified'] },
        },
        track({ svc: 'p0' }, 't0', { parts: 'attributes', may: 'create', email: null }),
      ],
    ],
  },
  // A person who began after a merge was accepted was merged too: they shared the phone that named another person.
  {
    seed: 77288,
    beginning: [begin(p2, 'b0', { email: 'm0', phone: 'f0' })],
    phases: [
      [
        { do: 'merge', from: { who: f0, prefer: ['unidentified'] }, into: { who: p0 } },
        track(p0, 't0', { parts: 'attributes', phone: 'f0' }),
      ],
    ],
  },
  // A visitor was identified as a person who was deleted at the same moment: neither deleted with them, nor given the free id.
  {
    seed: 600678,
    beginning: [begin(p2, 'b0'), begin(mailA, 'b1', { email: 'm0' })],
    phases: [
      [
        { do: 'identify', ext: 'p2', visitor: { who: mailA }, merge: true },
        { do: 'delete', named: { who: p2 } },
      ],
    ],
  },
  // A consent of a person who began after an identify counted for the email that came over, and for who shared it.
  {
    seed: 610310,
    beginning: [begin(p2, 'b0', { email: 'm0' }), begin(mailB, 'b1', { email: 'm0', phone: 'f0' })],
    phases: [
      [
        { do: 'identify', ext: 'p0', visitor: { who: m0, prefer: ['unidentified'] }, merge: true },
        track(p0, 't0', { parts: 'attributes', may: 'create', phone: 'f0', says: { email: 'opted_in' } }),
      ],
    ],
  },
  // The phone that had named a person in a merge was removed from the kept person, and the rest of that request was lost.
  {
    seed: 5002845,
    beginning: [begin(p0, 'b0'), begin(p1, 'b1', { phone: 'f0' })],
    phases: [
      [
        { do: 'merge', from: { who: f0, prefer: ['unidentified'] }, into: { who: p0 } },
        track(p1, 't0', { parts: 'attributes', phone: null }),
      ],
    ],
  },
  // A merge by an email found nobody, because another merge, accepted later and applied earlier, had just moved the email.
  {
    seed: 7841,
    beginning: [begin(p0, 'b0'), begin(p1, 'b1'), begin(mailA, 'b2', { email: 'm0' })],
    phases: [
      [
        { do: 'merge', from: { who: m0, prefer: ['unidentified'] }, into: { who: p1 } },
        {
          do: 'merge',
          from: { who: p0 },
          into: { who: m0, prefer: ['identified', 'most_recently_updated'] },
        },
      ],
    ],
  },
  // A consent by an email was applied after a person had left the email, and was forgotten with the last owner of it.
  {
    seed: 455657,
    beginning: [begin(p0, 'b0', { email: 'm0' }), begin(p1, 'b1', { email: 'm0' })],
    phases: [
      [track(m0, 't0', { parts: 'attributes', says: { email: 'opted_in' } })],
      [track(p1, 't1', { email: 'm1' })],
      [{ do: 'delete', named: { who: p0 } }],
    ],
  },
  // Made for the control without tombstones: of events that are sent one after the other while their alias goes, a late one is lost.
  {
    seed: 1,
    beginning: [begin(p0, 'b0'), begin(mailA, 'b1')],
    phases: [[{ do: 'identify', ext: 'p0', visitor: { who: mailA }, merge: true }], ...eventsInTurn],
  },
  {
    seed: 2,
    beginning: [begin(mailA, 'b0')],
    phases: [[{ do: 'alias-update', label: 'mail', from: 'a', to: 'b' }], ...eventsInTurn],
  },
];

/** Made for the control without tombstones: of events that are sent one after the other while their alias goes, a late one is lost. */
export const goingAlias: History = {
  seed: 1,
  beginning: [begin(mailA, 'b0')],
  phases: [
    [{ do: 'alias-update', label: 'mail', from: 'a', to: 'b' }],
    ...Array.from({ length: 10 }, (_, n) => [track(mailA, `t${n}`, { parts: 'event' })]),
  ],
};

/** Made for the control without the wait for deletions: what is sent after the answer to a deletion that is not applied yet goes with the person. */
export const afterDeletion: History = {
  seed: 1,
  beginning: [begin(p0, 'b0')],
  phases: [
    [{ do: 'delete', named: { who: p0 } }],
    ...Array.from({ length: 4 }, (_, n) => [track(p0, `t${n}`, { parts: 'event', may: 'create' })]),
  ],
};
