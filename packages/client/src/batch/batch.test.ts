import fc from 'fast-check';
import { BatchFullError, Roster } from '../index.ts';
import { type Arrived, type Said, useTestbed } from '../testbed.ts';
import type { EntryOutcome } from './types.ts';

const testbed = useTestbed();

// No pause is longer than it is asked to be.
beforeAll(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterAll(() => jest.restoreAllMocks());

const time = '2026-01-31T12:00:00Z';
const event = (external_id: string, n = 0) => ({ external_id, name: `e${n}`, time });

type Body = { [list: string]: { external_id?: string; n?: number; name?: string }[] | undefined };

/** Entries in the order in which the service applies them. */
const applied = (requests: Arrived[]): object[] =>
  requests.flatMap(({ body }) =>
    ['attributes', 'events', 'purchases'].flatMap((list) => (body as Body)[list] ?? []),
  );

type Batch = ReturnType<Roster['batch']>;

/** Of a person each. */
const events = (batch: Batch, count: number): Promise<EntryOutcome>[] =>
  Array.from({ length: count }, (_, n) => batch.event(event(`p${n}`, n)));

const expectAccepted = async (outcomes: readonly Promise<EntryOutcome>[]): Promise<void> => {
  for (const outcome of await Promise.all(outcomes)) expect(outcome.state).toBe('accepted');
};

const accept = (): Said => ({ status: 201, body: { message: 'success' }, headers: { 'x-request-id': 'r1' } });

describe('a batch', () => {
  it('fills requests by count, and one person has at most 100 entries in each', async () => {
    testbed.answer(accept);
    const batch = testbed.roster.batch();
    const many = events(batch, 2500);
    const hot = Array.from({ length: 250 }, (_, n) => batch.event(event('hot', n)));
    await batch.flush();
    await expectAccepted([...many, ...hot]);
    const sizes = testbed.arrived.map(({ body }) => (body as Body).events?.length ?? 0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
    expect(sizes.length).toBeLessThanOrEqual(6);
    for (const { body } of testbed.arrived)
      expect(
        (body as Body).events?.filter(({ external_id }) => external_id === 'hot').length,
      ).toBeLessThanOrEqual(100);
  });

  it('fills requests by bytes', async () => {
    testbed.answer(accept);
    const batch = testbed.roster.batch({ maxBytes: 1000 });
    for (let n = 0; n < 50; n++) void batch.event(event(`é${'x'.repeat(80)}${n}`));
    await batch.close();
    for (const { body } of testbed.arrived)
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(1100);
  });

  it('sends when its time has come, though nobody asks', async () => {
    testbed.answer(accept);
    const batch = testbed.roster.batch({ maxDelay: 30 });
    expect(await batch.event(event('ada'))).toEqual({ state: 'accepted', requestId: 'r1' });
    await batch.close();
  });

  /** The n-th entry of a person, in each way to give one. */
  const ways = [
    (batch: Batch, external_id: string, n: number) => batch.attributes({ external_id, n }),
    (batch: Batch, external_id: string, n: number) => batch.event({ external_id, name: `${n}`, time }),
    (batch: Batch, external_id: string, n: number) =>
      batch.purchase({ external_id, product_id: 'p', currency: 'EUR', price: 1, time, quantity: n + 1 }),
  ];

  it('keeps the order of each person, whatever fails on the way', async () => {
    const step = fc.tuple(fc.constantFrom(...ways), fc.constantFrom('a', 'b', 'c'));
    const steps = fc.array(step, { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.boolean()),
        async (all, maxEntries, failures) => {
          const taken: Arrived[] = [];
          testbed.answer((arrived) => {
            if (failures.pop()) return { status: 503, body: {} };
            taken.push(arrived);
            return accept();
          });
          const batch = testbed.roster.batch({ maxEntries, maxDelay: 1 });
          const outcomes = all.map(([add, external_id], n) => add(batch, external_id, n));
          await batch.close();
          await expectAccepted(outcomes);
          expect(applied(taken)).toHaveLength(all.length);
          for (const person of ['a', 'b', 'c']) {
            const numbers = applied(taken)
              .filter((entry) => Reflect.get(entry, 'external_id') === person)
              .map((entry) => numberOf(entry));
            expect(numbers).toEqual(numbers.toSorted((x, y) => x - y));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('tells of each entry whether it was refused, with code and field', async () => {
    const [code, message] = ['TIME_INVALID', 'events[1].time must be a time'];
    const errors = [{ type: message, code, input_array: 'events', index: 1 }];
    testbed.answer(() => ({ status: 201, body: { message: 'success', errors } }));
    const batch = testbed.roster.batch();
    const outcomes = [batch.attributes({ external_id: 'x' }), ...events(batch, 2)];
    await batch.close();
    expect(await Promise.all(outcomes)).toMatchObject([
      { state: 'accepted' },
      { state: 'accepted' },
      { state: 'refused', code, field: 'events[1].time', message },
    ]);
  });

  it('cuts what is refused as a whole in halves until the culprit stands alone', async () => {
    const names = ({ body }: Arrived): unknown[] => (body as Body).events?.map(({ name }) => name) ?? [];
    testbed.answer((arrived) =>
      names(arrived).includes('bad')
        ? { status: 400, body: { message: 'too deep', code: 'TOO_DEEP' } }
        : accept(),
    );
    const batch = testbed.roster.batch();
    const outcomes = events(batch, 300);
    const bad = batch.event({ external_id: 'bad', name: 'bad', time });
    await batch.close();
    expect(await bad).toMatchObject({ state: 'refused', code: 'TOO_DEEP', message: 'too deep' });
    await expectAccepted(outcomes);
    expect(testbed.arrived.length).toBeLessThan(25);
  });

  it.each([
    ['no code', {}],
    ['a code of its own', { code: 'blocked' }],
    ['a number as code', { code: 400 }],
  ])('sends nothing in halves that a firewall has refused, with %s', async (_, more) => {
    testbed.answer(() => ({ status: 400, body: { message: 'blocked', ...more } }));
    const batch = testbed.roster.batch();
    const outcomes = events(batch, 200);
    await batch.close();
    for (const outcome of await Promise.all(outcomes))
      expect(outcome).toMatchObject({ state: 'failed', error: { status: 400, code: undefined } });
    expect(testbed.arrived).toHaveLength(1);
  });

  it.each([
    ['answers 503', 0.3, () => ({ status: 503, body: {} }) as const],
    ['hangs up', 0.3, () => 'hang up' as const],
    ['says nothing', 0, () => 'say nothing' as const],
  ])('ends in one time of retries for all that waits when the service %s', async (_, retryFor, answer) => {
    testbed.answer(answer);
    const roster = new Roster({ url: testbed.url, key: 'k', timeout: 0.2 });
    const batch = roster.batch({ maxEntries: 1, retryFor });
    const outcomes = events(batch, 30);
    await batch.flush();
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatchObject({ state: 'failed' });
    expect(new Set(testbed.arrived.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    testbed.answer(accept);
    const later = batch.event(event('ada'));
    await batch.close();
    expect(await later).toMatchObject({ state: 'accepted' });
  });

  it('takes an option that is undefined as not given', async () => {
    testbed.answer(accept);
    const none = { operation: undefined, maxEntries: undefined, maxBytes: undefined, maxDelay: undefined };
    const more = { maxWaiting: undefined, maxWaitingBytes: undefined, wait: undefined, retryFor: undefined };
    const options = { key: 'k', timeout: undefined, retryFor: undefined, use: undefined, fetch: undefined };
    const batch = new Roster({ url: testbed.url, ...options }).batch({ ...none, ...more });
    await batch.room();
    await expectAccepted(events(batch, 3));
    await batch.close({ timeout: undefined });
    expect(testbed.arrived.map(({ id }) => id)).toEqual(['users.track.bulk']);
  });

  it('settles what is no entry, and gives its place back', async () => {
    const errors = [
      { type: 'events[0] must be an object', code: 'NOT_AN_OBJECT', input_array: 'events', index: 0 },
    ];
    testbed.answer(() => ({ status: 400, body: { message: 'no', code: 'NO_VALID_DATA', errors } }));
    const batch = testbed.roster.batch({ maxWaiting: 1 });
    const add = batch.event as (entry: unknown) => Promise<EntryOutcome>;
    for (const wrong of [null, undefined, 5, 'text']) {
      const outcome = add(wrong);
      await batch.flush();
      expect(await outcome).toMatchObject({ state: 'refused', code: 'NOT_AN_OBJECT' });
    }
    const circular: { self?: unknown } = {};
    circular.self = circular;
    for (const wrong of [circular, { external_id: 1n }, { external_id: Object.create(null) }])
      expect(await add(wrong)).toMatchObject({ state: 'failed', error: expect.any(TypeError) });
    expect(batch.waiting).toEqual({ entries: 0, bytes: 0 });
    await batch.close();
  });

  it('knows an alias in any order of its members', async () => {
    testbed.answer(accept);
    const batch = testbed.roster.batch();
    const outcomes = [
      batch.event({ user_alias: { alias_name: 'a', alias_label: 'b' }, name: 'seen', time }),
      batch.attributes({ user_alias: { alias_label: 'b', alias_name: 'a' }, plan: 'team' }),
    ];
    await batch.close();
    await expectAccepted(outcomes);
    expect(testbed.arrived.map(({ body }) => Object.keys(body as Body))).toEqual([
      ['events'],
      ['attributes'],
    ]);
  });

  it('fails all of a request that may not be sent, and goes on', async () => {
    testbed.answer(() => ({ status: 401, body: { message: 'Invalid API key' } }));
    const batch = testbed.roster.batch();
    const first = batch.event(event('ada'));
    await batch.flush();
    expect(await first).toMatchObject({ state: 'failed', error: { status: 401 } });
    testbed.answer(accept);
    const second = batch.event(event('ada'));
    await batch.close();
    expect(await second).toMatchObject({ state: 'accepted' });
    expect(() => batch.event(event('ada'))).toThrow('the batch is closed');
  });

  it('holds no more than it may, and tells when there is room', async () => {
    testbed.answer(accept);
    const batch = testbed.roster.batch({ maxWaiting: 10, maxDelay: 1 });
    const outcomes = Array.from({ length: 12 }, (_, n) => batch.event(event('ada', n)));
    expect(batch.waiting.entries).toBe(10);
    expect(await outcomes[11]).toMatchObject({ state: 'failed', error: expect.any(BatchFullError) });
    for (let n = 0; n < 50; n++) {
      await batch.room();
      void batch.event(event('bob', n)).then(({ state }) => expect(state).toBe('accepted'));
    }
    await batch.close();
    expect(batch.waiting).toEqual({ entries: 0, bytes: 0 });
    const small = testbed.roster.batch({ maxWaitingBytes: 200 });
    for (let n = 0; n < 4; n++) void small.event(event('x'.repeat(80), n));
    expect(small.waiting.bytes).toBeLessThan(400);
    await small.close();
  });

  it('has room for each caller that was told of it, however many ask at once', async () => {
    testbed.answer(accept);
    const batch = testbed.roster.batch({ maxWaiting: 5, maxDelay: 1 });
    const caller = async (n: number): Promise<EntryOutcome> => {
      await batch.room();
      return batch.event(event(`p${n}`));
    };
    await expectAccepted(Array.from({ length: 200 }, (_, n) => caller(n)));
    await batch.close();
  });

  it('waits at each flush for what is under way, and leaves what comes later to the next one', async () => {
    const batch = testbed.roster.batch({ maxDelay: 60_000 });
    const late: Promise<EntryOutcome>[] = [];
    const order: string[] = [];
    let flushed: Promise<number> | undefined;
    testbed.answer(() => {
      if (late.length === 0) {
        flushed = batch.flush().then(() => order.push('flushed'));
        late.push(batch.event(event('bob')));
      }
      return accept();
    });
    void batch.event(event('ada')).then(({ state }) => order.push(state));
    await batch.flush();
    await flushed;
    expect(order).toEqual(['accepted', 'flushed']);
    expect(testbed.arrived).toHaveLength(1);
    await batch.close();
    expect(await Promise.all(late)).toMatchObject([{ state: 'accepted' }]);
    expect(testbed.arrived).toHaveLength(2);
  });

  it.each(['flush', 'close'] as const)(
    'loses nothing that comes while it flushes, and sends nothing twice: %s settles it',
    async (settle) => {
      const batch = testbed.roster.batch({ maxEntries: 2, maxDelay: 60_000 });
      const all = 10;
      const settled: string[] = [];
      const capture = (n: number): void => {
        void batch.event(event('ada', n)).then(({ state }) => settled.push(state));
      };
      const taken: Arrived[] = [];
      let came = 3;
      testbed.answer((arrived) => {
        if (came < all) capture(came++);
        const step = testbed.arrived.length % 3;
        if (step === 1) return 'hang up';
        if (step === 2) return { status: 503, body: {} };
        taken.push(arrived);
        return accept();
      });
      for (let n = 0; n < came; n++) capture(n);
      await batch.flush();
      expect(came).toBeGreaterThan(3);
      while (came < all) capture(came++);
      await batch[settle]();
      expect(settled).toEqual(Array.from({ length: all }, () => 'accepted'));
      expect(applied(taken).map((entry) => Reflect.get(entry, 'name'))).toEqual(
        Array.from({ length: all }, (_, n) => `e${n}`),
      );
      expect(batch.waiting).toEqual({ entries: 0, bytes: 0 });
      await batch.close();
    },
  );

  it('pauses once for all under a rate limit, whatever time is left for retries', async () => {
    let refusals = 3;
    testbed.answer(() => (refusals-- > 0 ? { status: 429, body: {} } : accept()));
    const batch = testbed.roster.batch({ retryFor: 0, maxEntries: 2 });
    const outcomes = events(batch, 6);
    await batch.close();
    await expectAccepted(outcomes);
    expect(testbed.arrived).toHaveLength(6);
  });

  it('is closed in time, though nobody answers: every entry gets its outcome', async () => {
    testbed.answer(() => 'say nothing');
    const batch = testbed.roster.batch({ maxEntries: 2 });
    const outcomes = events(batch, 6);
    await batch.close({ timeout: 0.05 });
    for (const outcome of await Promise.all(outcomes))
      expect(outcome).toMatchObject({ state: 'failed', error: { name: 'TimeoutError' } });
    expect(batch.waiting).toEqual({ entries: 0, bytes: 0 });
  });

  it('is closed at the end of its block', async () => {
    testbed.answer(accept);
    const batch = testbed.roster.batch({ maxDelay: 60_000 });
    const outcome = batch.event(event('ada'));
    await batch[Symbol.asyncDispose]();
    expect(await outcome).toMatchObject({ state: 'accepted' });
  });

  it('tells what took effect when it waits', async () => {
    testbed.answer(({ headers }) => {
      expect(headers.prefer).toBe('wait=5');
      const entries = { events: [{ result: 'updated' }, { result: 'ignored', reason: 'no_such_user' }] };
      return { status: 201, body: { message: 'success', state: 'applied', entries } };
    });
    const batch = testbed.roster.batch({ wait: 5 });
    const outcomes = [batch.event(event('a')), batch.event(event('b'))];
    await batch.close();
    expect(await Promise.all(outcomes)).toMatchObject([
      { state: 'applied', result: 'updated' },
      { state: 'applied', result: 'ignored', reason: 'no_such_user' },
    ]);
    testbed.answer(() => ({ status: 201, body: { message: 'success', state: 'failed', reason: 'poison' } }));
    const dead = testbed.roster.batch({ wait: 5 });
    const letter = dead.event(event('a'));
    await dead.close();
    expect(await letter).toMatchObject({
      state: 'failed',
      error: { message: 'accepted, but not applied: poison' },
    });
  });
});

const numberOf = (entry: object): number => {
  const { n, name, quantity } = entry as { n?: number; name?: string; quantity?: number };
  return n ?? (name === undefined ? (quantity ?? 0) - 1 : Number(name));
};
