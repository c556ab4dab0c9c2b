import { quantile } from '../stats.ts';
import { arrivalBodies, eventBodies, freshEventBodies, freshUpdateBodies, updateBodies } from './bodies.ts';
import { type Connection, openConnection } from './connection.ts';
import type { LoadReport, LoadSpec } from './spec.ts';

type Fresh = Extract<LoadSpec['load'], { seed: number }>;
type Repeated = Exclude<LoadSpec['load'], Fresh>;

const freshBodies = { 'fresh-events': freshEventBodies, 'fresh-updates': freshUpdateBodies };

const bodiesOf = (load: Repeated): string[] => {
  if (load.kind === 'arrivals') return arrivalBodies(load.people, load.from);
  const bodies = Math.max(500, Math.ceil(20_000 / load.perRequest));
  return (load.kind === 'updates' ? updateBodies : eventBodies)(load.people, load.perRequest, bodies);
};

interface Source {
  /** The one with this number. */
  request(n: number): Buffer;
  /** How many there are, when each is sent once. */
  count: number;
}

const sourceOf = ({ url, apiKey, load }: LoadSpec): Source => {
  const { host, pathname } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`;
  const requestOf = (body: string): Buffer =>
    Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const count = Number.POSITIVE_INFINITY;
  if ('seed' in load) {
    const next = freshBodies[load.kind](load.people, load.perRequest, load.seed);
    return { request: () => requestOf(next()), count };
  }
  const requests = bodiesOf(load).map(requestOf);
  const request = (n: number): Buffer => requests[n % requests.length] as Buffer;
  return { request, count: load.kind === 'arrivals' ? requests.length : count };
};

/** Every connection sends its next request as soon as the last was answered. */
export const generate = async (spec: LoadSpec): Promise<LoadReport> => {
  const { request, count } = sourceOf(spec);
  const budget = spec.requests ?? count;
  const { hostname, port } = new URL(spec.url);
  const connections = await Promise.all(
    Array.from({ length: spec.connections }, () => openConnection(hostname, Number(port))),
  );

  const began = performance.now();
  const deadline = began + (spec.seconds ?? 3_600) * 1_000;
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  let sent = 0;

  const mayGoOn = () => sent < budget && performance.now() < deadline;
  const work = async (connection: Connection) => {
    while (mayGoOn()) {
      const bytes = request(sent++);
      const start = performance.now();
      const status = await connection.exchange(bytes);
      latencies.push(performance.now() - start);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(connections.map(work));

  const seconds = (performance.now() - began) / 1_000;
  for (const connection of connections) connection.close();
  return {
    answered: latencies.length,
    statuses,
    seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
};
