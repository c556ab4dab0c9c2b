import { join } from 'node:path';
import { type OperationId, operationOf } from '@roster/contract';
import { aJudgeSettings, createLateJudge } from '@roster/judge';
import { useThread } from '@roster/testkit';
import { openLargeBodies } from './large-bodies.ts';
import { createUnderstand, type Understand } from './understand.ts';

const settings = aJudgeSettings({ blockedExternalIds: new Set(['blocked']) });

const question = (id: OperationId) => ({
  operation: operationOf(id),
  ws: 'demo',
  settings,
  hasKey: true,
});

const events = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    external_id: `ada-${n}`,
    name: 'seen',
    time: '2026-01-31T12:00:00Z',
    properties: Object.fromEntries(Array.from({ length: 200 }, (__, m) => [`p${m}`, `value ${m}`])),
    ...more,
  }));

const script = useThread(join(__dirname, 'large-bodies-thread.ts'));

const here = createUnderstand(createLateJudge());
const unexpected = (error: unknown): void => {
  throw error;
};

/** In the thread, bytes of the caller go away: each time they are new. */
const understood = async (understand: Understand, text: string, operation: OperationId) => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  try {
    const { shape, judge } = await understand(bytes);
    const { body, ...judged } = await judge(question(operation));
    // Each process counts texts and shapes with hashes of its own: a few of them fall together by chance.
    return { shape: { ...shape, texts: 0, shapes: 0 }, judged, body: body.toString() };
  } catch (error) {
    const { code, message, errors, status } = error as { [name: string]: unknown };
    return { code, message, errors, status };
  }
};

describe('a large body', () => {
  let large: ReturnType<typeof openLargeBodies>;
  beforeAll(() => {
    large = openLargeBodies({ onError: unexpected, script: script() });
  });
  afterAll(() => large.close());

  it.each<[string, OperationId, object]>([
    ['that is accepted as it is', 'users.track', { events: events(50) }],
    ['of which the judge changes something', 'users.track', { events: events(2, { app_id: null }) }],
    [
      'of which an entry is refused',
      'users.track',
      { events: [...events(2), { name: 'of no person' }, ...events(1, { external_id: 'blocked' })] },
    ],
    ['of which nothing is left', 'users.track', { events: [{ x: 'y'.repeat(70_000) }] }],
    ['with too many entries', 'users.track', { events: events(51) }],
    ['that names people', 'users.delete', { external_ids: ['ada', 'bob'] }],
  ])('%s is understood in the thread as here', async (_title, operation, body) => {
    const text = JSON.stringify(body);
    const found = await understood(large.understand, text, operation);
    expect(found).toEqual(await understood(here.understand, text, operation));
    expect(found).toMatchObject(found.code ? { status: 400 } : { shape: { bytes: text.length } });
  });

  it.each(['{"events":[', `{"events":[{"n":12345678901234567890123}]}`, '[[]]'])(
    'of the text %s is refused in the thread as here',
    async (text) => {
      const found = await understood(large.understand, text, 'users.track');
      expect(found).toEqual(await understood(here.understand, text, 'users.track'));
      expect(found.code).toBeDefined();
    },
  );

  it('leaves the event loop to others; here it would not', async () => {
    const text = JSON.stringify({ events: events(20, { properties: { deep: events(20) } }) });
    const turnsDuring = async (understand: Understand): Promise<number> => {
      let [turns, goesOn] = [0, true];
      const turn = (): void => {
        turns++;
        if (goesOn) setImmediate(turn);
      };
      setImmediate(turn);
      await understood(understand, text, 'users.track');
      goesOn = false;
      return turns;
    };
    await understood(large.understand, text, 'users.track');
    expect(await turnsDuring(large.understand)).toBeGreaterThan(20);
    expect(await turnsDuring(here.understand)).toBeLessThan(3);
  });

  it('that was refused for its price leaves nothing behind', async () => {
    const { drop, judge } = await large.understand(Buffer.from('{"external_ids":["ada"]}'));
    drop();
    await expect(judge(question('users.delete'))).rejects.toThrow('of a body that is not there');
  });
});

describe('the thread', () => {
  const running = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const onMessage = (code: string) =>
    running(
      `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { ${code} }); parentPort.postMessage('begun');`,
    );
  const overloaded = { code: 'OVERLOADED', status: 503, headers: { 'Retry-After': '2' } };

  it.each([
    ['does not answer in time', 'for (;;) {}', /took more than 50 ms/],
    ['comes to the end of its memory', 'for (const all = [];;) all.push(new Array(1e6).fill(0));', /memory/],
    ['has a mistake in it', 'throw new Error("a mistake");', /a mistake/],
  ])('is begun anew when it %s; what it was asked is refused', async (_title, code, reason) => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const patienceMs = code.startsWith('for (;;)') ? 50 : 30_000;
    const large = openLargeBodies({ onError, script: onMessage(code), patienceMs });
    const first = large.understand(Buffer.from('{}'));
    const second = large.understand(Buffer.from('{}'));
    await expect(first).rejects.toMatchObject(overloaded);
    await expect(second).rejects.toMatchObject(overloaded);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(reason) })]);
    await expect(large.understand(Buffer.from('{}'))).rejects.toMatchObject(overloaded);
    expect(errors).toHaveLength(2);
  });

  it('may take longer to start than a body may take', async () => {
    const slow =
      "import { parentPort } from 'node:worker_threads'; await new Promise((go) => setTimeout(go, 500));";
    const answers = "parentPort.on('message', ({ id }) => parentPort.postMessage({ id, shape: {} }));";
    const large = openLargeBodies({
      onError: unexpected,
      script: running(`${slow} ${answers} parentPort.postMessage('begun');`),
      patienceMs: 100,
    });
    expect(await large.understand(Buffer.from('{}'))).toMatchObject({ shape: {} });
    await large.close();
  });

  it('that has ended judges no more', async () => {
    const large = openLargeBodies({ onError: unexpected, script: script() });
    const { judge } = await large.understand(Buffer.from('{"external_ids":["ada"]}'));
    await large.close();
    await expect(judge(question('users.delete'))).rejects.toMatchObject(overloaded);
  });
});
