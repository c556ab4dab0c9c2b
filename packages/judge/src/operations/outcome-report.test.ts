import { operationOf, outcomeReport } from '@roster/contract';
import { createAnswerCheck } from '../answers.ts';

describe('outcomeReport', () => {
  it('tells each entry apart by result and reason', () => {
    const report = outcomeReport({
      state: 'applied',
      entries: { events: ['created', 'updated', 'ignored:no_such_user', 'refused:TIME_INVALID'] },
      notes: [],
    });
    expect(report).toEqual({
      state: 'applied',
      entries: {
        events: [
          { result: 'created' },
          { result: 'updated' },
          { result: 'ignored', reason: 'no_such_user' },
          { result: 'refused', reason: 'TIME_INVALID' },
        ],
      },
    });
  });

  it('fits both answers that hold it', () => {
    const report = outcomeReport({
      state: 'failed',
      reason: 'poison',
      entries: { attributes: ['ignored:x'] },
      notes: [{ input_array: 'attributes', index: 0, field: 'time_zone', reason: 'unknown_time_zone' }],
    });
    const wrongWith = createAnswerCheck();
    const [track, read] = [operationOf('users.track'), operationOf('requests.read')];
    expect(
      wrongWith(track, 201, { message: 'success', events_processed: 1, request_id: 'r1', ...report }),
    ).toBeUndefined();
    const known = {
      message: 'success',
      request_id: 'r1',
      operation: 'users.track',
      accepted_at: '2026-01-31T12:00:00Z',
    };
    expect(wrongWith(read, 200, { ...known, ...report })).toBeUndefined();
    expect(wrongWith(read, 200, { ...known, state: 'lost' })).toContain('state must be one of');
  });
});
