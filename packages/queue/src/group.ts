import type { AcceptedRequest, OperationId } from '@roster/contract';
import { stampInId } from './request-id.ts';

/**
 * A request as it lies in Redis: the body is the JSON that came in, the stamp stands in the id, and names are left out, because a
 * waiting entry has to cost little.
 */
export type Packed = [id: string, ws: string, op: OperationId, body: unknown, rest?: Rest];
type Rest = Pick<AcceptedRequest, 'params' | 'query' | 'reply'>;

/** What one BullMQ job carries: whole requests, never a part of one. `v` lets old workers leave alone what they don't know. */
export interface Group {
  v: 1;
  entries: number;
  bytes: number;
  requests: Packed[];
}

export const unpack = ([id, ws, op, body, rest]: Packed): AcceptedRequest => ({
  id,
  ws,
  op,
  at: stampInId(id),
  ...(body !== null && { body }),
  ...rest,
});

/** A request on its way into a group; `text` is its body as JSON. */
export interface Sized {
  request: Omit<AcceptedRequest, 'body'>;
  text: string;
  entries: number;
}

/** A group on its way to Redis, with what has to be known of it without reading it. */
export interface Outgoing {
  op: OperationId;
  oldest: number;
  members: number;
  json: string;
}

export const maxGroupBytes = 1_000_000;

const restOf = ({ params, query, reply }: Sized['request']): string => {
  if (!params && !query && !reply) return '';
  return `,${JSON.stringify({ ...(params && { params }), ...(query && { query }), ...(reply && { reply }) })}`;
};

/** Ids, workspaces and operations need no escapes, and the body's text goes in as it came: it has been parsed once already. */
const packText = ({ request, text }: Sized): string =>
  `["${request.id}","${request.ws}","${request.op}",${text || 'null'}${restOf(request)}]`;

const close = (members: readonly Sized[], texts: readonly string[], bytes: number): Outgoing => {
  const entries = members.reduce((sum, member) => sum + member.entries, 0);
  return {
    op: (members[0] as Sized).request.op,
    oldest: members.reduce((oldest, { request }) => Math.min(oldest, request.at), Number.POSITIVE_INFINITY),
    members: members.length,
    json: `{"v":1,"entries":${entries},"bytes":${bytes},"requests":[${texts.join(',')}]}`,
  };
};

/** Cuts what has gathered into groups of at most a megabyte, or one request if that is bigger. */
export const intoGroups = (items: readonly Sized[], maxBytes = maxGroupBytes): Outgoing[] => {
  const groups: Outgoing[] = [];
  let members: Sized[] = [];
  let texts: string[] = [];
  let bytes = 0;
  const finish = (): void => {
    if (members.length > 0) groups.push(close(members, texts, bytes));
    members = [];
    texts = [];
    bytes = 0;
  };
  for (const item of items) {
    const text = packText(item);
    if (bytes + text.length > maxBytes) finish();
    members.push(item);
    texts.push(text);
    bytes += text.length;
  }
  finish();
  return groups;
};

/** A job id tells the fence the oldest stamp inside without reading the job; the suffix keeps every write its own job. */
export const groupId = (oldest: number, suffix: string): string => `g${oldest.toString(36)}-${suffix}`;

export const stampOfGroupId = (id: string): number | undefined => {
  const stamp = /^g([0-9a-z]+)-/.exec(id)?.[1];
  return stamp === undefined ? undefined : Number.parseInt(stamp, 36);
};
