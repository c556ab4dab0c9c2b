/** A process for open-tracing.test.ts: the exporter imports `http` dynamically, which the sandbox of the tests does not allow. */
require('../typescript.fixture.cjs');
const { createLog } = require('../log.ts');
const { createMetrics } = require('../metrics.ts');
const { openTracing } = require('./open-tracing.ts');

const metrics = createMetrics({ service: 'x' });
const log = createLog({ service: 'x', level: 'warn' });
const operation = { id: 'users.track', method: 'POST', path: '/users/track' };

const spans = async (end) =>
  Number(
    new RegExp(`roster_trace_spans_total\\{end="${end}",\\S+ (\\d+)`).exec(await metrics.text())?.[1] ?? 0,
  );

/** Until nothing more becomes of the spans. */
const settled = async (made) => {
  for (let last = -1; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = (await spans('sent')) + (await spans('lost'));
    if (now === made || (now > 0 && now === last)) return;
    last = now;
  }
};

const [endpoint, count] = [process.argv[2], Number(process.argv[3])];

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const main = async () => {
  const config = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: 1 };
  const limits = { patienceMs: 200, everyMs: 20 };
  const tracing = await openTracing({ service: 'x', config, log, metrics, ...limits });
  const before = cpuUs();
  for (let n = 0; n < count; n++) {
    const one = tracing?.request(operation, undefined);
    await one?.send('track', async () => ({ id: 'r1' }));
    one?.end(201);
  }
  if (tracing) await settled(2 * count);
  const each = (cpuUs() - before) / count;
  const since = performance.now();
  tracing?.request(operation, undefined).end(201);
  await tracing?.close();
  const closeMs = performance.now() - since;
  const isLoaded = Object.keys(require.cache).some((file) => file.includes('@opentelemetry/sdk-trace'));
  process.send({ sent: await spans('sent'), lost: await spans('lost'), closeMs, isLoaded, cpuUs: each });
  process.disconnect();
};

void main();
