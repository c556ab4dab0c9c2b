import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Rejection } from '@roster/contract';

const isJson = /^application\/(json|scim\+json)\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** What can be refused before a byte of the body has been read. */
const checkHeaders = ({ headers }: IncomingMessage, limit: number): void => {
  if (!isJson.test(headers['content-type'] ?? '')) throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  const encoding = headers['content-encoding'];
  if (encoding && encoding !== 'identity') throw new Rejection('CONTENT_TYPE_UNSUPPORTED');
  if (Number(headers['content-length'] ?? 0) > limit) throw new Rejection('BODY_TOO_LARGE');
};

/** The caller went away in the middle; nobody is left to answer. */
export class Aborted extends Error {}

/** A lean body reader: one chunk is the usual case and is not copied. */
const readBytes = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
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
const maxNodes = 250_000;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const addNested = (list: unknown[], into: object[]): number => {
  for (const member of list) if (isNested(member)) into.push(member);
  return list.length;
};

/** `for in` makes no list of the members; what JSON.parse made inherits nothing enumerable. */
const addNestedMembers = (node: object, into: object[]): number => {
  let members = 0;
  for (const name in node) {
    members += 1;
    const member: unknown = node[name as keyof typeof node];
    if (isNested(member)) into.push(member);
  }
  return members;
};

/** One walk without recursion: whatever comes after it may recurse. */
export const isShallow = (value: unknown): boolean => {
  let level: object[] = isNested(value) ? [value] : [];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) return false;
    const next: object[] = [];
    for (const node of level) {
      nodes += Array.isArray(node) ? addNested(node, next) : addNestedMembers(node, next);
      if (nodes > maxNodes) return false;
    }
    level = next;
  }
  return true;
};

/** A body as it was sent and as it was understood. */
export interface Body {
  bytes: Buffer;
  value: unknown;
}

const parse = (bytes: Buffer): Body => {
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

export const readBody = async (request: IncomingMessage, limit: number): Promise<Body> => {
  checkHeaders(request, limit);
  return parse(await readBytes(request, limit));
};
