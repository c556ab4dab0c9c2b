// The names in observe/ against what every service of a running stack tells.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort, type Stack, services, startStack } from '@roster/local-stack';
import { parse } from 'yaml';

jest.setTimeout(120_000);

const read = (name: string): string => readFileSync(join(__dirname, '../../observe', name), 'utf8');

/** Of a histogram, the three metrics that it is. */
const baseOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '');

const namedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b(?:roster|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g)].map(([name]) => name)),
];

const labelsIn = (text: string): string[] => [...text.matchAll(/(\w+)="/g)].map(([, label]) => label ?? '');

/** Added by Prometheus. */
const own = new Set(['job', 'instance']);

interface Told {
  types: Map<string, string>;
  /** By the name of the metric; only of what has been counted. */
  labels: Map<string, Set<string>>;
}

const toldIn = (text: string): Told => {
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', inside = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.get(name) ?? new Set();
    for (const label of labelsIn(inside)) known.add(label);
    labels.set(name, known);
  }
  return { types, labels };
};

const isTold = ({ types }: Told, name: string): boolean =>
  types.has(name) || types.get(baseOf(name)) === 'histogram';

describe('what observe/ names', () => {
  let dir = '';
  let stack: Stack;
  let told: Told;
  const texts = new Map<string, string>();

  const request = (path: string, body?: unknown, headers = {}): Promise<Response> =>
    fetch(stack.baseUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${stack.apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'roster-observed-'));
    const ports = await Promise.all(services.map(async (name) => [name, await anyFreePort()] as const));
    stack = await startStack({
      dir,
      mongo: { cacheGb: 0.25 },
      processEnv: Object.fromEntries(ports.map(([name, port]) => [name, { ADMIN_PORT: String(port) }])),
      env: { LOG_LEVEL: 'warn' },
      say: () => {},
    });
    const wait = { prefer: 'wait=10' };
    const person = { external_id: 'observed', first_name: 'Ada' };
    await request('/users/track', { attributes: [person] }, wait);
    await request('/users/export/ids', { external_ids: ['observed'], fields_to_export: ['external_id'] });
    for (const [name, port] of ports) {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      texts.set(name, await response.text());
    }
    told = toldIn([...texts.values()].join('\n'));
  });
  afterAll(async () => {
    await stack?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const missing = (names: readonly string[]): string[] => names.filter((name) => !isTold(told, name));

  it('is told by a service: in the rules, the dashboard and the runbook', () => {
    const runbook = readFileSync(join(__dirname, '../../docs/runbook.md'), 'utf8');
    const inRules = namedIn(read('rules.yml'));
    const inPanels = namedIn(JSON.parse(read('grafana/roster.json')).panels.flatMap(exprsOf).join('\n'));
    expect(inRules.length).toBeGreaterThan(15);
    expect(inPanels.length).toBeGreaterThan(25);
    expect(missing(inRules)).toEqual([]);
    expect(missing(inPanels)).toEqual([]);
    expect(missing(namedIn(runbook).filter((name) => name.startsWith('roster_')))).toEqual([]);
    // And a name that no service tells is found.
    expect(missing(['roster_made_up_total'])).toEqual(['roster_made_up_total']);
  });

  it('has the labels that the tests of the rules give it', () => {
    const tests: { input_series: { series: string }[] }[] = parse(read('rules.test.yml')).tests;
    const series = tests.flatMap(({ input_series }) => input_series.map((one) => one.series));
    const wrong = series.flatMap((one) => {
      const labels = told.labels.get(one.replace(/\{.*/, ''));
      const unknown = labelsIn(one).filter((label) => !own.has(label) && !labels?.has(label));
      return labels && unknown.length > 0 ? [`${one}: ${unknown.join()}`] : [];
    });
    expect(wrong).toEqual([]);
    const checked = new Set(
      series.map((one) => one.replace(/\{.*/, '')).filter((name) => told.labels.has(name)),
    );
    expect(checked.size).toBeGreaterThan(12);
  });

  it('counts what was just done', () => {
    expect(texts.get('ingress')).toMatch(/roster_http_requests_total\{op="users.track",status="201",/);
    expect(texts.get('ingress')).toMatch(/roster_points_total\{workspace="demo",service="ingress"\} [1-9]/);
    expect(texts.get('track')).toMatch(
      /roster_queue_wait_seconds_count\{service="track",lane="normal"\} [1-9]/,
    );
    expect(texts.get('monitor')).toMatch(/roster_redis_up\{service="monitor"\} 1/);
  });
});

const exprsOf = ({ targets = [] }: { targets?: { expr: string }[] }): string[] =>
  targets.map(({ expr }) => expr);
