import { maskData, maskJob, maskName } from './mask.ts';

const request = {
  id: 'r1-a',
  ws: 'demo',
  op: 'users.track',
  at: 5,
  body: { attributes: [{ email: 'ada@example.org' }] },
};

const packed = [request.id, request.ws, request.op, request.body];

describe('what the board shows of a job', () => {
  it('is which requests a group carries, not what they say', () => {
    expect(maskData({ v: 1, entries: 3, bytes: 99, requests: [packed], secret: 1 })).toEqual({
      v: 1,
      entries: 3,
      bytes: 99,
      requests: [{ id: 'r1-a', ws: 'demo', op: 'users.track' }],
    });
  });

  it('is why a request is dead, without the values a reason quotes', () => {
    const letter = {
      id: 'r1-a',
      queue: 'track',
      code: 'BAD',
      reason: 'no "Ada" ada@example.org',
      at: 't',
      request,
    };
    expect(maskData(letter)).toEqual({
      id: 'r1-a',
      queue: 'track',
      code: 'BAD',
      at: 't',
      reason: 'no "..." <email>',
      request: { id: 'r1-a', ws: 'demo', op: 'users.track', at: 5 },
    });
  });

  it.each([[undefined], [null], ['text'], [{ email: 'ada@example.org' }], [[request]]])(
    'is nothing for what it does not know',
    (data) => {
      expect(maskData(data)).toEqual({});
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
    expect(JSON.stringify(maskJob(job))).not.toMatch(/ada|"returnvalue":\{/);
  });
});
