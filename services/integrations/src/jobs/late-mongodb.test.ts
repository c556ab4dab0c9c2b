/** Documents whose transaction commits after a sync has read past their time, on a real MongoDB. */
import { makeIntegration } from '../testbed.ts';
import { bodyOf } from './outcomes.ts';
import { useJobs, useSource } from './testbed.ts';

const source = useSource();
const { test, apply, run, take, begin } = useJobs('mongodb', source);

const sync = async (id: string): Promise<string[]> => {
  const sent: string[] = [];
  await begin(id);
  const lease = await take();
  await run(lease, {
    async send(chunk) {
      const entries = Object.values(bodyOf(chunk)).flat();
      sent.push(...entries.map(({ external_id }) => String(external_id)));
      await apply(chunk);
    },
  }).finally(() => lease.end());
  return sent;
};

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

/** Transactions end after 60 s, unless the server says otherwise. */
it.each([
  ['the usual window holds it', {}, 60, ['late']],
  ['none without a window: it is lost, as the documentation says', { look_back_seconds: 0 }, 60, []],
  ['nor what is older than the window', {}, 310, []],
])('a document of a transaction that is open over a sync: %s', async (_, settings, age, found) => {
  const customers = source.client.db().collection('customers');
  await customers.deleteMany({});
  await customers.insertOne({ external_id: 'first', updated_at: secondsAgo(3_600) });
  const id = await makeIntegration(test, settings);
  const session = source.client.startSession();
  session.startTransaction();
  await customers.insertOne({ external_id: 'late', updated_at: secondsAgo(age) }, { session });
  await customers.insertOne({ external_id: 'second', updated_at: secondsAgo(0) });
  expect(await sync(id)).toEqual(['first', 'second']);
  await session.commitTransaction();
  await session.endSession();
  expect(await sync(id)).toEqual(found);
});
