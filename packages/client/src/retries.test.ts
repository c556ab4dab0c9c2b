import fc from 'fast-check';
import { fieldIn, retryAfterIn } from './error-of.ts';
import {
  type Attempt,
  about,
  type Pause,
  RateLimitError,
  Roster,
  type RosterError,
  telemetryOf,
} from './index.ts';
import { pause } from './pause.ts';
import { delayMs, pauseAfter } from './retry.ts';
import { type Said, useTestbed } from './testbed.ts';

const testbed = useTestbed();

// No pause is longer than it is asked to be.
beforeAll(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterAll(() => jest.restoreAllMocks());

const body = { events: [{ external_id: 'ada', name: 'seen', time: '2026-01-31T12:00:00Z' }] };

/** Answered with these, one after the other; then it succeeds. A status alone has an empty body. */
const answers = (...given: (Said | number | 'hang up' | 'say nothing')[]): void => {
  testbed.answer(() => {
    const next = given.shift() ?? { status: 201, body: { message: 'success' } };
    return typeof next === 'number' ? { status: next, body: {} } : next;
  });
};

const client = (more: object = {}) => new Roster({ url: testbed.url, key: 'k', ...more });
const track = (more: object = {}, options: object = {}) => client(more).users.track(body, options);

const away: Said = {
  status: 503,
  body: { message: 'away', code: 'UNAVAILABLE' },
  headers: { 'retry-after': '60' },
};

const keys = () => testbed.arrived.map(({ headers }) => headers['idempotency-key']);

describe('what passes', () => {
  it('is tried again with the key of the first attempt', async () => {
    answers(503, 'hang up', 429, { status: 502, body: 'bad gateway' });
    const answer = await track();
    expect(about(answer)?.attempts).toBe(5);
    expect(keys()).toHaveLength(5);
    expect(new Set(keys()).size).toBe(1);
  });

  it('is not tried again after the time for it', async () => {
    answers(503, 503);
    await expect(track({ retryFor: 0 })).rejects.toMatchObject({ status: 503, attempts: 1 });
    for (const status of [429, 503]) {
      answers({ status, body: {}, headers: { 'retry-after': '100' } });
      await expect(track()).rejects.toMatchObject({ status, retryAfter: 100, attempts: 1 });
    }
    answers('say nothing');
    const silence = track({ retryFor: 0, timeout: 0.05 });
    await expect(silence).rejects.toMatchObject({ name: 'TimeoutError', attempts: 1 });
  });

  it('is tried once more after a closed socket, also where retries are off', async () => {
    answers('hang up');
    expect(await track({ retryFor: 0 })).toEqual({ message: 'success' });
    answers('hang up', 'hang up');
    await expect(track({ retryFor: 0 })).rejects.toMatchObject({ name: 'ConnectionError', attempts: 2 });
    expect(keys()[0]).toBe(keys()[1]);
  });

  it('says how often it was tried before', async () => {
    answers(503, 'hang up');
    await track();
    const told = testbed.arrived.map(({ headers }) => headers['x-roster-retry']);
    expect(told).toEqual([undefined, '1', '2']);
  });

  it('an answer that breaks off is tried again', async () => {
    let times = 0;
    const broken = async (url: string, init: RequestInit): Promise<Response> =>
      times++ === 0 ? new Response('{"mess') : fetch(url, init);
    answers();
    expect(await track({ fetch: broken })).toEqual({ message: 'success' });
  });
});

describe('whether a failure passes', () => {
  const answer = (status: number, retry?: string): Said => ({
    status,
    body: {},
    headers: retry === undefined ? {} : { 'x-roster-error': 'SOME_CODE', 'x-roster-retry': retry },
  });

  it.each([408, 429, 500, 501, 502, 503, 504, 507, 520, 522, 525, 530, 599])(
    'is assumed of %i, where nobody says it',
    async (status) => {
      answers(answer(status));
      expect(about(await track())?.attempts).toBe(2);
      expect(keys()[0]).toBe(keys()[1]);
    },
  );

  it.each([400, 409, 429])('is what the service says: true of %i', async (status) => {
    answers(answer(status, 'true'));
    expect(about(await track())?.attempts).toBe(2);
  });

  it.each([400, 429, 500, 503])('is what the service says: false of %i', async (status) => {
    answers(answer(status, 'false'));
    await expect(track()).rejects.toMatchObject({ status, attempts: 1, retry: false });
    answers(answer(status, 'false'));
    expect(about(await track({}, { retryIf: () => true }))?.attempts).toBe(2);
  });

  it('is said by the class of what a proxy tells of a service that it can not reach', async () => {
    for (const status of [502, 503, 504, 520, 524, 530]) {
      answers({ status, body: {}, headers: { 'retry-after': '60' } });
      await expect(track({ retryFor: 0 })).rejects.toMatchObject({ status, name: 'UnavailableError' });
    }
  });
});

describe('a pause', () => {
  it('is ended by a signal, with its reason', async () => {
    const stop = new AbortController();
    const ending = async (_: Attempt, next: () => Promise<Response>) => {
      const response = await next();
      setTimeout(() => stop.abort('over'), 10);
      return response;
    };
    answers(away);
    const call = track({ retryFor: 100, use: [ending] }, { signal: stop.signal });
    await expect(call).rejects.toBe('over');
    expect(testbed.arrived).toHaveLength(1);
  });

  it('nor an attempt begins when the signal has gone off before', async () => {
    answers();
    await expect(track({}, { signal: AbortSignal.abort('over') })).rejects.toBe('over');
    expect(testbed.arrived).toHaveLength(0);
  });

  it('longer than a timer can hold is no short one', async () => {
    const stop = new AbortController();
    const call = pause(1e12, stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 2));
    stop.abort('over');
    await expect(call).rejects.toBe('over');
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    answers(503);
    await track({}, { signal });
    expect(added.mock.calls.length).toBeGreaterThan(2);
    expect(removed.mock.calls).toHaveLength(added.mock.calls.length);
  });
});

describe('a caller with patience of its own', () => {
  it('makes the pauses, and is told the error and the length of each', async () => {
    const told: unknown[] = [];
    const pause = async ({ error, ms }: Pause) => {
      told.push([error.status, error.message, ms]);
    };
    answers(away, { status: 429, body: { message: 'slow', code: 'RATE_LIMITED' } });
    await track({}, { pause, retryFor: Number.POSITIVE_INFINITY });
    expect(told).toEqual([
      [503, 'away', 60_000],
      [429, 'slow', 0],
    ]);
    expect(new Set(keys()).size).toBe(1);
  });

  it('ends the call by a pause that rejects', async () => {
    answers(away);
    const pause = () => Promise.reject('enough');
    const call = track({}, { pause, retryFor: Number.POSITIVE_INFINITY });
    await expect(call).rejects.toBe('enough');
    expect(testbed.arrived).toHaveLength(1);
  });

  it('names further answers after which to try again', async () => {
    answers(404, 400);
    const retryIf = ({ status }: RosterError) => status === 404;
    await expect(track({}, { retryIf })).rejects.toMatchObject({ status: 400, attempts: 2 });
  });
});

describe('what was refused', () => {
  it.each([400, 401, 403, 404, 409, 413, 422])('is not tried again: %i', async (status) => {
    answers({ status, body: { message: 'no', code: 'REFUSED' } });
    await expect(track()).rejects.toMatchObject({ status, message: 'no' });
    expect(testbed.arrived).toHaveLength(1);
  });
});

it('reads are tried again without a key', async () => {
  answers(503);
  await client().requests.read('r1');
  expect(keys()).toEqual([undefined, undefined]);
});

describe('delays', () => {
  it('are between nothing and a doubling range, after what the service asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.option(fc.nat(100)),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, after, random) => {
          const ms = delayMs(n, after ?? undefined, random);
          const least = (after ?? 0) * 1000;
          expect(ms).toBeGreaterThanOrEqual(least);
          expect(ms).toBeLessThanOrEqual(least + Math.min(10_000, 100 * 2 ** n));
        },
      ),
    );
  });

  it('have a cap of 300 s in a batch, which else waits as long as a rate limit asks', () => {
    const error = new RateLimitError('slow', { status: 429, retryAfter: 86_400 });
    const failed = { error, attempt: 1, leftMs: 60_000, sockets: 1, retryIf: undefined };
    expect(pauseAfter({ ...failed, isPatient: true })?.ms).toBe(300_000);
    expect(pauseAfter({ ...failed, isPatient: false })).toBeUndefined();
  });

  it('follow the end of a spent window by the clock of the server', () => {
    const headers = new Headers({ 'x-ratelimit-reset': '1000', date: new Date(997_000).toUTCString() });
    expect(retryAfterIn(429, headers, 5_000_000)).toBe(3);
    expect(retryAfterIn(503, headers, 5_000_000)).toBeUndefined();
    headers.set('retry-after', '7');
    expect(retryAfterIn(429, headers, 0)).toBe(7);
    headers.set('retry-after', '-7');
    expect(retryAfterIn(503, headers, 0)).toBe(0);
    headers.set('retry-after', new Date(1_002_000).toUTCString());
    expect(retryAfterIn(503, headers, 0)).toBe(5);
  });
});

it.each([
  ["'time' is required", 'time'],
  ['events[3].name must not be empty', 'events[3].name'],
  ['events[3] must be an object', 'events[3]'],
  ['Max Input Length Exceeded', undefined],
  ['The body is nested too deeply', undefined],
])('the field of "%s" is %s', (sentence, field) => expect(fieldIn(sentence)).toBe(field));

describe('middleware', () => {
  it('that throws ends the call with its own error', async () => {
    const broken = new TypeError('a mistake');
    answers();
    const use = [() => Promise.reject(broken)];
    await expect(track({ use })).rejects.toBe(broken);
  });

  it('stands around each attempt, the first outermost, and may add headers', async () => {
    const seen: string[] = [];
    const noting = (name: string) => async (attempt: Attempt, next: () => Promise<Response>) => {
      attempt.headers[`x-${name}`] = 'yes';
      const response = await next();
      seen.push(`${name} ${attempt.number} ${response.status}`);
      return response;
    };
    answers(503);
    await track({ use: [noting('a'), noting('b')] });
    expect(seen).toEqual(['b 1 503', 'a 1 503', 'b 2 201', 'a 2 201']);
    expect(testbed.arrived[1]?.headers).toMatchObject({ 'x-a': 'yes', 'x-b': 'yes' });
  });

  it('gets attributes for a span', async () => {
    const spans: object[] = [];
    answers();
    const tracing = async (attempt: Attempt, next: () => Promise<Response>) => {
      const response = await next();
      spans.push(telemetryOf(attempt, response));
      return response;
    };
    await track({ use: [tracing] });
    expect(spans).toEqual([
      {
        'http.request.method': 'POST',
        'url.full': `${testbed.url}/users/track`,
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(testbed.url).port),
        'roster.operation': 'users.track',
        'roster.request_id': 'r1',
        'http.response.status_code': 201,
      },
    ]);
  });
});

it('says what it lacks', async () => {
  await expect(new Roster({ url: testbed.url }).users.track(body)).rejects.toThrow("needs the option 'key'");
  await expect(client().scim.config.read()).rejects.toThrow("needs the option 'scim'");
  await expect(client().requests.read('')).rejects.toThrow('{id} is missing');
  await expect(client().requests.read('..')).rejects.toThrow("{id} can't be ..");
});
