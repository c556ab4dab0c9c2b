/** Rows that become due again while a turn has their delivery, whose `due` is the end of its lease then. */
import type { SendDocument } from '@roster/store';
import { aDelivery, aSend, noCounts } from '@roster/testkit';
import { createTaking } from './take.ts';
import { useSending } from './testbed.ts';
import { createWriteBegin } from './write-begin.ts';
import { createWriteResults } from './write-results.ts';

const { store } = useSending();

const later = new Date(Date.now() + 3_600_000);
const soon = new Date(Date.now() - 1000);

/** Another turn is sending to this person. */
const planted = async (): Promise<SendDocument> => {
  const one = aDelivery({ read: true, counts: { ...noCounts, sending: 1 } });
  await store.messages.deliveries.insertOne(one);
  const row = aSend('p1', one, { state: 'sending' });
  await store.messages.sends.insertOne(row);
  return row;
};

const givenBack = (row: SendDocument): Promise<void> =>
  createWriteResults(store)([{ row, state: 'waiting', due: soon, tries: 0 }]);

const stored = () => store.messages.deliveries.findOne({});

test('they are due when the turn has begun, though it knew nothing of them', async () => {
  const row = await planted();
  const [taken] = await createTaking(store, 60_000).take(aDelivery().lane, new Date());
  if (!taken) throw new Error('nothing was taken');
  await givenBack(row);
  // Nobody takes the delivery away from the turn.
  expect((await stored())?.due?.getTime()).toBe(taken.due?.getTime());
  const begun = { delivery: taken, fresh: [], again: [], read: true, caps: [], due: later };
  await createWriteBegin(store)([begun], new Date());
  expect(await stored()).toMatchObject({ due: soon, taken: 0, counts: { waiting: 1, sending: 0 } });
  expect(await stored()).not.toHaveProperty('wake');
});

test('they are due at once where no turn has the delivery', async () => {
  const row = await planted();
  await store.messages.deliveries.updateOne({}, { $set: { due: later } });
  await givenBack(row);
  expect((await stored())?.due).toEqual(soon);
});
