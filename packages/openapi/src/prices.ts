/** The section of docs/api.md about points: how they are counted, and what the examples of the table of operations cost. */

import {
  type Example,
  type JsonObject,
  listAt,
  type OperationOf,
  operationOf,
  shortText,
  work,
} from '@roster/contract';
import { priceOf, type Workload, weights } from '@roster/judge';
import { code, page, table } from './markdown.ts';

type Counts = Pick<Workload, 'values' | 'containers'> & { shapes: Set<string>; texts: Set<string> };

/** An example has no objects so large that they have no shape. */
const countNames = (names: readonly string[], { shapes, texts }: Counts): void => {
  for (const [place, name] of names.entries()) {
    shapes.add(JSON.stringify([names.length, names.slice(0, place + 1)]));
    if (Buffer.byteLength(name) <= shortText) texts.add(name);
  }
};

const count = (value: unknown, into: Counts): Counts => {
  into.values += 1;
  if (typeof value === 'string' && Buffer.byteLength(value) <= shortText) into.texts.add(value);
  if (typeof value !== 'object' || value === null) return into;
  into.containers += 1;
  if (!Array.isArray(value)) countNames(Object.keys(value), into);
  for (const inner of Object.values(value)) count(inner, into);
  return into;
};

const entriesOf = ({ entries = [], size }: OperationOf<string>, body: unknown): number => {
  if (size) return size((body ?? {}) as JsonObject);
  return Math.max(1, entries.flatMap(({ array }) => listAt(body as JsonObject | undefined, array)).length);
};

const workloadOf = (operation: OperationOf<string>, body: unknown): Workload => {
  const entries = entriesOf(operation, body);
  if (body === undefined) return { bytes: 0, shapes: 0, texts: 0, containers: 0, values: 0, entries };
  const counts = count(body, { values: 0, containers: 0, shapes: new Set(), texts: new Set() });
  const [shapes, texts] = [counts.shapes.size, counts.texts.size];
  return { ...counts, bytes: Buffer.byteLength(JSON.stringify(body)), shapes, texts, entries };
};

const many = (operation: OperationOf<string>, array: string, entries: number): Workload => {
  const event = { external_id: 'user-0000', name: 'signed_in', time: '2026-01-31T12:00:00Z' };
  const properties = { device: 'phone', page: '/home', campaign: 'summer', visits: 3 };
  return workloadOf(operation, {
    [array]: Array.from({ length: entries }, () => ({ ...event, properties })),
  });
};

const row = (operation: OperationOf<string>, title: string, workload: Workload): string[] => [
  code(operation.id),
  title,
  workload.bytes.toLocaleString('en-US'),
  String(priceOf(operation, workload)),
];

const rowsOf = (operation: OperationOf<string>): string[][] => {
  const rowOf = ({ title, request }: Example) => row(operation, title, workloadOf(operation, request.body));
  return operation.examples.slice(0, 1).map(rowOf);
};

const sizes = [
  { id: 'users.track', entries: 50 },
  { id: 'users.track.bulk', entries: 1000 },
];

const larger = sizes.map(({ id, entries }) => {
  const title = `${entries.toLocaleString('en-US')} events with four properties`;
  return row(operationOf(id), title, many(operationOf(id), 'events', entries));
});

export function pricesSection(operations: readonly OperationOf<string>[]): string {
  const { request, kilobyte, shape, text, container, value, entry } = weights;
  const families = Object.entries(entry).map(([family, weight]) => `${weight} (${family})`);
  return page([
    '## Points',
    `A request costs one point for each 100 us of CPU time that such a request usually takes, and at least one point. The time is estimated as the sum, rounded down, of ${request} us for the request, ${kilobyte} for each KB of the body, ${shape} for each member name that continues no sequence of names seen before, ${text} for each distinct text of at most ten bytes, ${container} for each object or array (so also for each operation on a list), ${value} for any value, and for each entry ${families.join(', ')}. Each message to a listed user is an entry.`,
    `A workspace has ${work.requests.toLocaleString('en-US')} points in each window of ${work.seconds} seconds, unless it sets another limit for the pool ${code(work.pool)} (\`limits.work.requests\` are its points). When the points of a window are used up, the answer is 429 (\`WORK_LIMITED\`) and names the price of the request. A request that costs more than a whole window gets 413 (\`REQUEST_TOO_COSTLY\`). A refused request costs the work of reading and parsing its body. Work that only a worker can measure, such as the bytes of large profiles, is taken from the current and the next windows. Rows of data integrations cost points in the same way, from the first half of each window.`,
    'What requests cost:',
    table(['Operation', 'Request', 'Bytes', 'Points'], [...larger, ...operations.flatMap(rowsOf)]),
  ]).trimEnd();
}
