import type { SyncChunkDocument } from '@roster/store';
import { createSender } from './sender.ts';

const chunk = {
  ws: 'demo',
  at: 1_795_000_000_000_000,
  op: 'users.track',
  entries: 1,
  job: 'j',
} as SyncChunkDocument;
const others = [{ secret: 'the secret of before', until: new Date('2027-03-01') }];

const senderWith = (secret: Parameters<typeof createSender>[0]['secret'], sent: string[] = []) =>
  createSender({
    producer: { redis: {} as never, commitAs: async (_submission, { id }) => void sent.push(id) },
    pressure: { refusal: () => undefined, gauge: () => undefined },
    ...{ pay: async () => true, others: () => 0, secret },
  });

it('a saved request is sent under the id that it was saved with, also by a process that makes other ids', async () => {
  const sent: string[] = [];
  const before = senderWith('the secret of before', sent);
  const after = senderWith({ makes: 'the secret that comes', others }, sent);
  const saved = { ...chunk, request: before.idOf(chunk.ws, chunk.at) };
  await before.send(saved, () => {});
  await after.again(saved, () => {});
  expect(sent).toEqual([saved.request, saved.request]);
  expect(after.requestOf(saved)).toBe(saved.request);
  // The control: of an earlier version, which saved no id.
  expect(after.requestOf(chunk)).not.toBe(saved.request);
});
