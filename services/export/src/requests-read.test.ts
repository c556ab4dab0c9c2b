import { requestId } from '@roster/queue';
import type { Secrets } from '@roster/secrets';
import { useStore } from '@roster/testkit';
import { requestsRead } from './requests-read.ts';
import { at } from './testbed.ts';

const store = useStore();

describe('requests.read', () => {
  const read = async (id: string, ws = 'demo', secret: Secrets = '') => {
    const reply = await requestsRead(
      { id: 'r2', ws, op: 'requests.read', at, params: { id } },
      { store, secret, loaded() {} },
    );
    return reply && { status: reply.status, body: JSON.parse(reply.body) };
  };
  const applied = new Date('2026-01-31T12:00:00.014Z');
  const mark = { ws: 'demo', op: 'users.track', at, applied, expires: new Date(Date.now() + 1e9) };

  it('is found by every id that its stamp may have while the secret is rotated', async () => {
    const [former, next] = ['the secret of before', 'the secret that comes'];
    const secrets = { makes: next, others: [{ secret: former, until: new Date('2000-01-01') }] };
    const [_id, shown] = [requestId(former, 'demo', at), requestId(next, 'demo', at)];
    await store.requests.insertOne({ ...mark, _id, state: 'applied' });
    for (const id of [_id, shown])
      expect(await read(id, 'demo', secrets)).toMatchObject({ status: 200, body: { request_id: _id } });
    expect(await read(shown, 'demo', next)).toBeUndefined();
    expect(await read(shown, 'other', secrets)).toBeUndefined();
  });

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
