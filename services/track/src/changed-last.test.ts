/** Of several people who share an email or phone, the person who was changed last is told as of the stamp of the entry. */

import type { AcceptedRequest, Outcome } from '@roster/contract';
import { type EntryKind, entryKinds } from '@roster/profile';
import type { Earlier } from '@roster/queue';
import { later, useStore } from '@roster/testkit';
import { createApply, createTimelyApply } from './apply.ts';
import { createTestbed } from './testbed.ts';
import { nobodyWaits } from './without-protection.ts';

const store = useStore();
const apply = later(() => createApply({ store }));
const bed = createTestbed(store);
const oldestBeside = nobodyWaits;

const inTurn = async (...requests: AcceptedRequest[]): Promise<void> => {
  for (const request of requests) await apply([request]);
};

/** Two people with one email; the second one was changed last. */
const sharers = async () => {
  const [ada, bob, email] = [bed.uniqueId(), bed.uniqueId(), `${bed.uniqueId()}@b.co`];
  await inTurn(bed.attributes({ external_id: ada, email }), bed.attributes({ external_id: bob, email }));
  return { ada, bob, email };
};

/** In the past of every event of this file; the time of acceptance when it is sent now. */
const now = () => new Date(bed.now() / 1000).toISOString();

const entryBy = (kind: EntryKind, who: object): AcceptedRequest =>
  kind === 'attributes' ? bed.attributes({ ...who, plan: 'gold' }) : bed[kind]({ ...who, time: now() });

const countOf = async (externalId: string): Promise<number> => {
  const [profile, events, purchases] = await Promise.all([
    bed.profileOf(externalId),
    bed.eventsOf(externalId),
    bed.purchasesOf(externalId),
  ]);
  return Object.keys(profile.custom_attributes).length + events.length + purchases.length;
};

describe.each(entryKinds)('an entry of %s by an email that several people share', (kind) => {
  it('waits for earlier requests that name one of these people', async () => {
    const { ada, bob, email } = await sharers();
    const change = bed.attributes({ external_id: ada, seen: true });
    const entry = entryBy(kind, { email });
    let unfinished: Earlier = { requests: [change], upTo: Number.POSITIVE_INFINITY };
    const timely = createTimelyApply({ store }, { oldestBeside, readEarlier: async () => unfinished });
    expect(await timely([entry], new Set())).toEqual([undefined]);
    // More than can be read.
    unfinished = { requests: [], upTo: entry.at - 1 };
    expect(await timely([entry], new Set())).toEqual([undefined]);
    await apply([change]);
    const other = bed.attributes({ external_id: bed.uniqueId(), seen: true });
    unfinished = { requests: [other], upTo: Number.POSITIVE_INFINITY };
    expect((await timely([entry], new Set())).map((one?: Outcome) => one?.entries)).toEqual([
      { [kind]: ['updated'] },
    ]);
    expect([await countOf(ada), await countOf(bob)]).toEqual([2, 0]);
  });

  it.each(entryKinds)(
    'is about the person who was changed last at its stamp: later %s do not count',
    async (later) => {
      const { ada, bob, email } = await sharers();
      bed.pass(1);
      const entry = entryBy(kind, { email });
      await inTurn(entryBy(later, { external_id: ada }), entryBy(later, { external_id: ada }));
      await apply([entry]);
      expect(await countOf(bob)).toBe(1);
    },
  );
});

it('each entry is about the person who was changed last at its own place', async () => {
  const { ada, bob, email } = await sharers();
  const entries: AcceptedRequest[] = [];
  const changes: AcceptedRequest[] = [];
  for (const [n, external_id] of [ada, bob, ada, bob, ada].entries()) {
    changes.push(bed.attributes({ external_id, turn: n }));
    entries.push(bed.attributes({ email, [`entry${n}`]: true }));
  }
  await inTurn(...changes);
  await apply(entries);
  const namesOf = async (id: string) => Object.keys((await bed.profileOf(id)).custom_attributes);
  expect(await namesOf(ada)).toEqual(['turn', 'entry0', 'entry2', 'entry4']);
  expect(await namesOf(bob)).toEqual(['turn', 'entry1', 'entry3']);
});
