import { isoTime } from '@roster/contract';
import { identityKey, mergeProfiles, type Profile } from '@roster/profile';
import type { Store } from '@roster/store';
import { anEvent, serviceId, useStore } from '@roster/testkit';
import { aPerson, at, createTestbed } from './testbed.ts';

const store = useStore();
const test = createTestbed(store);
const total = 40;
const rounds = 40;

const event = (profile: string, n: number) =>
  anEvent(profile, { index: n, at, time: new Date(at / 1000 - n) });

const cards = (who: string) =>
  Array.from({ length: total / 2 }, (_, n) => ({ k: `${who} ${n}`, v: { name: `${who} ${n}` } }));

const half = (who: string): Profile =>
  aPerson({ _id: serviceId(`p-${who}`), external_id: who }, [
    { kind: 'list', name: 'cards_clicked', items: cards(who) },
  ]);

const [kept, away] = [half('kept'), half('away')];
const merged = mergeProfiles(kept, away, isoTime);

beforeAll(async () => {
  await test.add(kept, away);
  await store.events.insert(
    [kept, away].flatMap(({ _id }) => Array.from({ length: total / 2 }, (_, n) => event(_id, n))),
  );
});

const keyOfAway = identityKey('demo', { by: 'external_id', id: 'away' });

/** As an identity worker does it: everything in one transaction. */
const merge = () =>
  store.transact(async (session) => {
    await store.profiles.replaceOne({ _id: kept._id }, merged, { session });
    await store.profiles.deleteOne({ _id: away._id }, { session });
    await store.identities.deleteOne({ _id: keyOfAway }, { session });
  });

/** Back to what was there before. */
const part = () =>
  store.transact(async (session) => {
    await store.profiles.replaceOne({ _id: kept._id }, kept, { session });
    await store.profiles.insertOne(away, { session });
    await store.identities.insertOne({ _id: keyOfAway, profile: away._id, at }, { session });
  });

/** How much of the two an answer shows, and how many people. */
const seen = async () => {
  const fields_to_export = ['cards_clicked', 'custom_events'];
  const { users, invalid_user_ids = [] } = await test.ask({
    external_ids: ['kept', 'away'],
    fields_to_export,
  });
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    cards: sum(users.map(({ cards_clicked = [] }) => cards_clicked.length)),
    events: sum(users.flatMap(({ custom_events = [] }) => custom_events.map(({ count }) => count))),
    people: users.length + invalid_user_ids.length,
  };
};

const whileExporting = async (change: () => Promise<void>) => {
  const answers: Awaited<ReturnType<typeof seen>>[] = [];
  let done = false;
  const asking = Array.from({ length: 3 }, async () => {
    while (!done) answers.push(await seen());
  });
  await change().finally(() => {
    done = true;
  });
  await Promise.all(asking);
  return answers;
};

it('a person who is being merged is shown as before or as after, never by half', async () => {
  const answers = await whileExporting(async () => {
    for (let round = 0; round < rounds; round++) {
      await merge();
      await part();
    }
  });
  expect(answers.length).toBeGreaterThan(rounds);
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ cards: total, events: total, people: 2 })]),
  );
});

describe('a person who is deleted between two reads of one export', () => {
  const remove = async () => {
    await store.profiles.deleteOne({ _id: serviceId('p-gone') });
    await store.events.remove([serviceId('p-gone')]);
  };

  /** The same store, in which a person is deleted as soon as the profiles have been read. */
  const deletingBetween = (): Store => {
    const { profiles } = store;
    const find = (...how: Parameters<typeof profiles.find>) => {
      async function* andDelete() {
        yield* profiles.find(...how);
        await remove();
      }
      return andDelete();
    };
    return { ...store, profiles: { find } as unknown as Store['profiles'] };
  };

  const counted = async (from: Store) => {
    await test.add(aPerson({ _id: serviceId('p-gone'), external_id: 'gone' }));
    await store.events.insert(Array.from({ length: 5 }, (_, n) => event(serviceId('p-gone'), n)));
    const body = { external_ids: ['gone'], fields_to_export: ['external_id', 'custom_events'] };
    const { users } = await test.ask(body, { from });
    await store.identities.deleteMany({ profile: serviceId('p-gone') });
    return users.map(({ custom_events }) => custom_events?.[0]?.count ?? 0);
  };

  it('is shown as before', async () => {
    expect(await counted(deletingBetween())).toEqual([5]);
  });

  it('would be shown by half, if the reads were not of one moment', async () => {
    const snapshot: Store['snapshot'] = async ({ maxTimeMS }, work) => {
      const session = store.db.client.startSession();
      const moment = { session, maxTimeMS, readConcern: { level: 'majority' } } as const;
      return work(moment).finally(() => session.endSession());
    };
    expect(await counted({ ...deletingBetween(), snapshot })).toEqual([0]);
  });
});
