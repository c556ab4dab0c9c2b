import type { AcceptedRequest, OperationId } from '@roster/contract';
import { createReplies } from './replies.ts';
import type { Applied } from './work.ts';

const applied: Applied = { state: 'applied', entries: { events: ['created', 'ignored:no_such_user'] } };

const request = (op: OperationId, reply?: string): AcceptedRequest => ({
  id: 'r1-00000000',
  ws: 'demo',
  op,
  at: 1,
  ...(reply !== undefined && { reply }),
});

const resultOf = jest.fn(async () => ({ message: 'success', long: 9007199254740993n }));
const replies = createReplies(resultOf);

describe('a caller that waits', () => {
  it('for an operation with a result gets it', async () => {
    expect(await replies.applied(request('users.track.sync', 'here'), applied)).toEqual({
      status: 201,
      body: '{"message":"success","long":9007199254740993}',
    });
    expect(replies.failed(request('users.track.sync', 'here'), 'too large')).toMatchObject({ status: 500 });
  });

  it('for an operation with a receipt gets the outcome', async () => {
    const request_id = 'r1-00000000';
    const { status, body } = await replies.applied(request('users.merge', 'here'), applied);
    expect([status, JSON.parse(body)]).toEqual([
      200,
      {
        ...{ request_id, state: 'applied' },
        entries: { events: [{ result: 'created' }, { result: 'ignored', reason: 'no_such_user' }] },
      },
    ]);
    const failed = replies.failed(request('users.track', 'here'), 'too large');
    expect(JSON.parse(failed.body)).toEqual({ request_id, state: 'failed', reason: 'too large' });
  });
});

it('when no caller waits nothing is written out', async () => {
  resultOf.mockClear();
  expect(await replies.applied(request('users.track.sync'), applied)).toEqual({ status: 200, body: '' });
  expect(replies.failed(request('users.track.sync'), 'too large')).toEqual({ status: 200, body: '' });
  expect(resultOf).not.toHaveBeenCalled();
});
