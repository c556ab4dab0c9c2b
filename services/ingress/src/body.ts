import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Dialect, Rejection } from '@roster/contract';

const contentTypes: Record<Dialect, RegExp> = {
  rest: /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
  scim: /^application\/(scim\+)?json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
};

/** What can be refused before a byte of the body has been read. */
const checkHeaders = ({ headers }: IncomingMessage, limit: number, dialect: Dialect): void => {
  if (!contentTypes[dialect].test(headers['content-type'] ?? ''))
    throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  const encoding = headers['content-encoding'];
  if (encoding && encoding !== 'identity') throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  if (Number(headers['content-length'] ?? 0) > limit) throw new Rejection('BODY_TOO_LARGE');
};

/** The caller went away in the middle; nobody is left to answer. */
export class Aborted extends Error {}

/** A lean body reader: one chunk is the usual case and is not copied. */
export const readBytes = (
  request: IncomingMessage,
  limit: number,
  dialect: Dialect = 'rest',
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    checkHeaders(request, limit, dialect);
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners('data').resume();
        return reject(new Rejection('BODY_TOO_LARGE'));
      }
      if (!first) first = chunk;
      else if (more) more.push(chunk);
      else more = [first, chunk];
    });
    request.on('end', () => resolve(more ? Buffer.concat(more) : (first ?? Buffer.alloc(0))));
    request.on('error', () => reject(new Aborted('the caller went away')));
  });

const maxDepth = 50;
/** As many as 50 events with 100 KB of properties each can have, and not many more. */
const maxNodes = 3_000_000;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Counts on from `nodes`; infinitely many when it goes too deep. It recurses no further than that, and makes nothing on its way. */
const countNodes = (value: object, depth: number, nodes: number): number => {
  if (depth === maxDepth) return Number.POSITIVE_INFINITY;
  return Array.isArray(value) ? countElements(value, depth, nodes) : countMembers(value, depth, nodes);
};

const countElements = (list: unknown[], depth: number, before: number): number => {
  let nodes = before + list.length;
  for (const element of list) {
    if (isNested(element)) nodes = countNodes(element, depth + 1, nodes);
    if (nodes > maxNodes) return nodes;
  }
  return nodes;
};

/** `for in` makes no list of the members; what JSON.parse made inherits nothing enumerable. */
const countMembers = (node: object, depth: number, before: number): number => {
  let nodes = before;
  for (const name in node) {
    nodes += 1;
    const member: unknown = node[name as keyof typeof node];
    if (isNested(member)) nodes = countNodes(member, depth + 1, nodes);
    if (nodes > maxNodes) return nodes;
  }
  return nodes;
};

/** Whatever comes after this walk may recurse. */
export const isShallow = (value: unknown): boolean => !isNested(value) || countNodes(value, 0, 0) <= maxNodes;

/** A body as it was sent and as it was understood. */
export interface Body {
  bytes: Buffer;
  value: unknown;
}

export const understand = (bytes: Buffer): Body => {
  if (!isUtf8(bytes)) throw new Rejection('BODY_NOT_JSON');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Rejection('BODY_NOT_JSON');
  }
  if (!isShallow(value)) throw new Rejection('BODY_NOT_JSON');
  return { bytes, value };
};
