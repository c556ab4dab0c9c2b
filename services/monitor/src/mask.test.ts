import { isHidden, maskData, maskJob, maskName } from './mask.ts';
import { operator, type Viewer } from './viewer.ts';

const stranger: Viewer = { isOperator: false, sees: (ws) => ws === 'other' };

const request = {
  id: 'r1-a',
  ws: 'demo',
  op: 'users.track',
  at: 5,
  body: { attributes: [{ email: 'ada@example.org' }] },
};

const packed = [request.id, request.ws, request.op, request.body];
const letter = { id: 'r1-a', queue: 'track', code: 'BAD', at: 't', request };

describe('what the board shows of a job', () => {
  it('is which requests a group carries, not what they say', () => {
    expect(maskData({ v: 1, entries: 3, bytes: 99, requests: [packed], secret: 1 }, operator)).toEqual({
      v: 1,
      entries: 3,
      bytes: 99,
      requests: [{ id: 'r1-a', ws: 'demo', op: 'users.track' }],
    });
  });

  it('is why a request is dead, without the values a reason quotes', () => {
    expect(maskData({ ...letter, reason: 'no "Ada" ada@example.org' }, operator)).toEqual({
      ...letter,
      reason: 'no "..." <email>',
      request: { id: 'r1-a', ws: 'demo', op: 'users.track', at: 5 },
    });
  });

  it.each([[undefined], [null], ['text'], [{ email: 'ada@example.org' }], [[request]]])(
    'is nothing for what it does not know',
    (data) => {
      expect(maskData(data, operator)).toEqual({});
    },
  );

  it('is a name of ours or none', () => {
    expect(maskName('users.track')).toBe('users.track');
    expect(maskName('ada@example.org')).toBe('(hidden)');
    expect(maskName('constructor')).toBe('(hidden)');
    expect(maskName(undefined)).toBe('(hidden)');
  });

  it('hides results and masks reasons and stack traces', () => {
    const job = {
      name: 'x',
      data: {},
      returnvalue: { email: 1 },
      failedReason: 'ada@example.org',
      stacktrace: ['at ada@example.org'],
    };
    expect(JSON.stringify(maskJob(job, operator))).not.toMatch(/ada|"returnvalue":\{/);
  });

  it('is nothing of other workspaces but how much there is', () => {
    const theirs = ['r1-b', 'other', 'users.track', {}];
    const group = { v: 1, entries: 3, bytes: 99, requests: [packed, theirs, packed] };
    expect(maskData(group, stranger)).toEqual({
      v: 1,
      entries: 3,
      bytes: 99,
      requests: [{ id: 'r1-b', ws: 'other', op: 'users.track' }],
      others: 2,
    });
    const failed = { name: 'group', data: group, failedReason: 'r1-a failed', stacktrace: ['r1-a'] };
    expect(JSON.stringify(maskJob(failed, stranger))).not.toContain('r1-a');
    const dead = { ...letter, reason: 'x' };
    expect(maskData(dead, stranger)).toEqual({});
    expect([isHidden(dead, stranger), isHidden(dead, operator)]).toEqual([true, false]);
  });
});
