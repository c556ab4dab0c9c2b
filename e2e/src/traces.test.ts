// Traces of the services as they are built, by a collector that is there, hangs or refuses.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyFreePort, type Stack, startStack } from '@roster/local-stack';
import { type Collector, type SeenSpan, startCollector } from './collector.ts';

jest.setTimeout(120_000);

const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };

let dir = '';
let collector: Collector;
let stack: Stack;
let adminPort = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'roster-traces-'));
  collector = await startCollector();
  adminPort = await anyFreePort();
  stack = await startStack({
    dir,
    services: ['ingress', 'track', 'export'],
    mongo: { cacheGb: 0.25 },
    env: { LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' },
    processEnv: { ingress: { ADMIN_PORT: String(adminPort) } },
    say: () => {},
  });
});
afterAll(async () => {
  await stack?.stop();
  await collector?.close();
  await rm(dir, { recursive: true, force: true });
});

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

interface Caller {
  traceId: string;
  spanId: string;
}

const send = async (caller: Caller | undefined, { sampled = true, prefer = 'wait=10' } = {}) => {
  const traceparent = caller && `00-${caller.traceId}-${caller.spanId}-${sampled ? '01' : '00'}`;
  const response = await fetch(`${stack.baseUrl}/users/track`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.apiKey}`,
      'content-type': 'application/json',
      prefer,
      ...(traceparent && { traceparent }),
    },
    body: JSON.stringify({ attributes: [{ external_id: 'traced', first_name: 'Secretname' }] }),
  });
  return response.status;
};

const aCaller = (): Caller => ({ traceId: hex(16), spanId: hex(8) });
const spansOf = ({ traceId }: Caller): SeenSpan[] =>
  collector.spans.filter((span) => span.traceId === traceId);

const until = async (holds: () => boolean | Promise<boolean>, ms = 10_000): Promise<boolean> => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) if (await holds()) return true;
  return false;
};

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(name));
  return Number(line?.split(' ').at(-1));
};

it('one trace goes from the caller through ingress, queue, worker and transaction', async () => {
  const caller = aCaller();
  expect(await send(caller)).toBe(201);
  await until(() => spansOf(caller).length >= 4);
  const found = spansOf(caller);
  const byKind = (kind: number) => found.find((span) => span.kind === kind) as SeenSpan;
  const [request, add, turn, transaction] = [kinds.server, kinds.producer, kinds.consumer, kinds.client].map(
    byKind,
  );
  expect(found).toHaveLength(4);
  expect(request).toMatchObject({
    service: 'roster-ingress',
    name: 'POST /users/track',
    parentSpanId: caller.spanId,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/users/track',
      'http.response.status_code': 201,
      'roster.operation': 'users.track',
      'roster.workspace': 'demo',
    },
  });
  expect(add).toMatchObject({ service: 'roster-ingress', name: 'add track', parentSpanId: request?.spanId });
  expect(add?.attributes['messaging.message.id']).toBe(request?.attributes['roster.request']);
  expect(turn).toMatchObject({
    service: 'roster-track',
    parentSpanId: add?.spanId,
    attributes: { 'messaging.system': 'bullmq', 'messaging.operation.type': 'process' },
    links: [{ traceId: caller.traceId, spanId: add?.spanId }],
  });
  expect(transaction).toMatchObject({
    service: 'roster-track',
    name: 'transaction',
    parentSpanId: turn?.spanId,
    attributes: { 'db.system.name': 'mongodb' },
  });
});

it('nothing of a body is in a trace', () => {
  expect(collector.texts.join()).toContain('users.track');
  expect(collector.texts.join()).not.toContain('Secretname');
  expect(collector.texts.join()).not.toContain('traced');
});

it('each traced request of a batch ends its own trace, with a link to the turn where that is in another one', async () => {
  await sleep(1_100);
  const callers = Array.from({ length: 15 }, aCaller);
  await Promise.all(callers.map((caller) => send(caller)));
  const isWhole = (caller: Caller) => spansOf(caller).some(({ service }) => service === 'roster-track');
  await until(() => callers.every(isWhole));
  expect(callers.filter(isWhole)).toHaveLength(15);
  const turns = new Set(
    collector.spans.filter(({ kind }) => kind === kinds.consumer).map(({ spanId }) => spanId),
  );
  const beside = callers.flatMap(spansOf).filter(({ name }) => name === 'apply users.track');
  for (const { links } of beside) expect(turns.has(links[0]?.spanId ?? '')).toBe(true);
  expect(beside.length).toBeGreaterThan(0);
});

it('a caller decides that a request is not traced, and for how many it is at most', async () => {
  await sleep(1_100);
  const quiet = aCaller();
  await send(quiet, { sampled: false });
  await send(undefined);
  await sleep(1_100);
  const before = new Set(collector.spans.map(({ traceId }) => traceId)).size;
  const since = Date.now();
  const loud = Array.from({ length: 300 }, aCaller);
  await Promise.all(loud.map((caller) => send(caller, { prefer: 'wait=0' })));
  const seconds = Math.floor(Date.now() / 1000) - Math.floor(since / 1000) + 1;
  await until(() => loud.filter((caller) => spansOf(caller).length > 0).length >= 20);
  await sleep(2_500);
  const traced = loud.filter((caller) => spansOf(caller).length > 0).length;
  expect(traced).toBeGreaterThanOrEqual(20);
  expect(traced).toBeLessThanOrEqual(20 * seconds);
  expect(spansOf(quiet)).toEqual([]);
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(before + traced);
});

it('a collector that refuses costs spans, and no request: one line is logged, and they flow again afterwards', async () => {
  await sleep(1_100);
  const log = join(dir, 'logs/ingress.log');
  const complaints = () => readFileSync(log, 'utf8').split('the collector does not take traces').length - 1;
  collector.becomes('refuses');
  for (let n = 1; n <= 2; n++) {
    expect(await send(aCaller())).toBe(201);
    const isLost = async () => (await metric('roster_trace_spans_total{end="lost"')) >= 2 * n;
    expect(await until(isLost, 20_000)).toBe(true);
  }
  expect(complaints()).toBe(1);
  collector.becomes('takes');
  const caller = aCaller();
  await send(caller);
  expect(await until(() => spansOf(caller).length >= 4, 20_000)).toBe(true);
});

it('a collector that hangs holds up no request and no stop', async () => {
  await sleep(1_100);
  collector.becomes('hangs');
  for (let n = 0; n < 5; n++) expect(await send(aCaller())).toBe(201);
  const since = Date.now();
  await stack.stop();
  expect(Date.now() - since).toBeLessThan(15_000);
});

/** The files of a bundle that are read when it starts. */
const readAtStart = (name: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(__dirname, '../../bundle', name), 'utf8');
  const imported = [
    ...text.matchAll(/^(?:import|export) ?(?:[^'"()]*? from )?["']\.\/([\w-]+\.js)["'];?$/gm),
  ];
  for (const [, next = ''] of imported) readAtStart(next, seen);
  return seen;
};

it.each(['ingress', 'track', 'export'])('without a collector %s does not even read the SDK', (service) => {
  const holds = (name: string): boolean =>
    readFileSync(join(__dirname, '../../bundle', name), 'utf8').includes('OTLPTraceExporter');
  const files = [...readAtStart(`${service}.js`)];
  expect(files.length).toBeGreaterThan(2);
  expect(files.filter(holds)).toEqual([]);
  // It is there, in a file that is read when it is wanted.
  const wanted = files.flatMap((name) => [
    ...readFileSync(join(__dirname, '../../bundle', name), 'utf8').matchAll(
      /import\("\.\/(shared-[\w-]+\.js)"\)/g,
    ),
  ]);
  expect(wanted.some(([, name = '']) => [...readAtStart(name)].some(holds))).toBe(true);
});
