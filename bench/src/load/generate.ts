import { arrivalBodies, eventBodies, updateBodies } from './bodies.ts';
import { type Connection, openConnection } from './connection.ts';
import type { LoadReport, LoadSpec } from './spec.ts';

const bodiesOf = ({ load }: LoadSpec): string[] => {
  if (load.kind === 'arrivals') return arrivalBodies(load.people);
  const bodies = Math.max(500, Math.ceil(20_000 / load.perRequest));
  return (load.kind === 'updates' ? updateBodies : eventBodies)(load.people, load.perRequest, bodies);
};

const prepared = (spec: LoadSpec): Buffer[] => {
  const { host, pathname } = new URL(spec.url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${spec.apiKey}\r\nContent-Type: application/json\r\n`;
  return bodiesOf(spec).map((body) =>
    Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
};

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Every connection sends its next request as soon as the last was answered. */
export const generate = async (spec: LoadSpec): Promise<LoadReport> => {
  const requests = prepared(spec);
  const budget =
    spec.requests ?? (spec.load.kind === 'arrivals' ? requests.length : Number.POSITIVE_INFINITY);
  const { hostname, port } = new URL(spec.url);
  const connections = await Promise.all(
    Array.from({ length: spec.connections }, () => openConnection(hostname, Number(port))),
  );

  const cpu = process.cpuUsage();
  const began = performance.now();
  const deadline = began + (spec.seconds ?? 3_600) * 1_000;
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  let sent = 0;
  let refused = false;

  const mayGoOn = () => sent < budget && performance.now() < deadline && !(refused && spec.stopWhenRefused);
  const work = async (connection: Connection) => {
    while (mayGoOn()) {
      const request = requests[sent++ % requests.length] as Buffer;
      const start = performance.now();
      const status = await connection.exchange(request);
      latencies.push(performance.now() - start);
      statuses[status] = (statuses[status] ?? 0) + 1;
      refused ||= status >= 300;
    }
  };
  await Promise.all(connections.map(work));

  const seconds = (performance.now() - began) / 1_000;
  const used = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  const sorted = Float64Array.from(latencies).sort();
  return {
    answered: latencies.length,
    statuses,
    seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    slowest: sorted.at(-1) ?? 0,
    ownCpuSeconds: (used.user + used.system) / 1e6,
  };
};
