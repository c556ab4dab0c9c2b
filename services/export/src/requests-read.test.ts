import { useStore } from '@roster/testkit';
import { requestsRead } from './requests-read.ts';
import { at } from './testbed.ts';

const store = useStore();

describe('requests.read', () => {
  const read = async (id: string, ws = 'demo') => {
    const reply = await requestsRead(
      { id: 'r2', ws, op: 'requests.read', at, params: { id } },
      { store, secret: '', loaded() {} },
    );
    return reply && { status: reply.status, body: JSON.parse(reply.body) };
  };
  const applied = new Date('2026-01-31T12:00:00.014Z');
  const mark = { ws: 'demo', op: 'users.track', at, applied, expires: new Date(Date.now() + 1e9) };

  it('tells what became of each entry of an applied request', async () => {
    await store.requests.insertOne({
      ...mark,
      _id: 'r-applied',
      state: 'applied',
      entries: { events: ['updated*2', 'ignored:no_such_user'] },
    });
    expect(await read('r-applied')).toEqual({
      status: 200,
      body: {
        message: 'success',
        request_id: 'r-applied',
        operation: 'users.track',
        state: 'applied',
        accepted_at: '2025-11-13T02:13:20.000Z',
        applied_at: '2026-01-31T12:00:00.014Z',
        entries: {
          events: [
            { result: 'updated' },
            { result: 'updated' },
            { result: 'ignored', reason: 'no_such_user' },
          ],
        },
      },
    });
  });

  it('tells the answer that a request about content got', async () => {
    const op = 'content_blocks.create';
    const answer = { status: 201, body: '{"content_block_id":"b1","message":"success"}' };
    const refused = { reason: 'no', answer: { status: 400, body: '{"message":"no"}' } };
    await store.requests.insertOne({ ...mark, _id: 'r-content', op, state: 'applied', answer });
    await store.requests.insertOne({ ...mark, _id: 'r-no', op, state: 'failed', ...refused });
    const told = { content_block_id: 'b1', message: 'success' };
    expect((await read('r-content'))?.body).toMatchObject({ state: 'applied', answer: told });
    const failed = (await read('r-no'))?.body;
    expect(failed).toMatchObject({ state: 'failed', reason: 'no' });
    expect(failed).not.toHaveProperty('answer');
  });

  it('tells why a request failed', async () => {
    await store.outcomes.fail({ id: 'r-failed', ws: 'demo', op: 'users.track', at }, 'too large');
    const answer = await read('r-failed');
    expect(answer?.body).toMatchObject({ state: 'failed', reason: 'too large' });
    expect(answer?.body).not.toHaveProperty('applied_at');
  });

  it('knows nothing of a request of another workspace, or of none', async () => {
    expect(await read('r-applied', 'other')).toBeUndefined();
    expect(await read('r-none')).toBeUndefined();
  });
});
