import { createSignal, noCounts, until } from '@roster/testkit';
import { always, person, schedule, toWebhook, useSending, ws } from './testbed.ts';
import { createWriteReports } from './write-report.ts';

const { store, start, ended, rows, add, run } = useSending();

const countsOf = async () => (await store.messages.deliveries.findOne({}))?.counts;
const rowId = async (): Promise<string> => (await store.messages.sends.findOne({}))?._id ?? '';
const report = async (one: { state: 'sent' | 'refused'; reason?: 'not_delivered' }, row?: string, of = ws) =>
  createWriteReports(store)(of, [{ row: row ?? (await rowId()), ...one }]);
const failed = { state: 'refused', reason: 'not_delivered' } as const;

beforeEach(() => store.profiles.insertOne(person(1)));

test('a message that never came was refused, and one that is reported twice counts once', async () => {
  await run(always({ state: 'sent', id: 'x' }), schedule(toWebhook()));
  for (let n = 0; n < 2; n++) await report(failed);
  expect(await rows()).toEqual({ p1: 'refused: not_delivered' });
  expect(await countsOf()).toMatchObject({ sent: 0, refused: 1 });
});

test('what was unknown has come, and a message that was refused stays so', async () => {
  await run(always({ state: 'unknown', reason: 'no_answer' }), schedule(toWebhook()));
  await report({ state: 'sent' });
  expect(await rows()).toEqual({ p1: 'sent' });
  expect(await countsOf()).toMatchObject({ sent: 1, unknown: 0 });
  await report(failed);
  await report({ state: 'sent' });
  expect(await rows()).toEqual({ p1: 'refused: not_delivered' });
});

test('a report of another workspace, or of no message, changes nothing', async () => {
  await run(always({ state: 'sent' }), schedule(toWebhook()));
  await report(failed, undefined, 'other');
  await report(failed, 'none');
  expect(await rows()).toEqual({ p1: 'sent' });
});

test('a report that comes before the answer of the provider counts, and the answer does not', async () => {
  const answer = createSignal();
  const sending = start(always({ state: 'sent' }, answer.given));
  const one = await add(toWebhook());
  await until(() => store.messages.sends.findOne({ state: 'sending' }));
  await report(failed);
  answer.give();
  await ended(one._id);
  await sending.stop();
  expect(await rows()).toEqual({ p1: 'refused: not_delivered' });
  expect(await countsOf()).toEqual({ ...noCounts, refused: 1 });
});
