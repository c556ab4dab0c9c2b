import { hash, randomBytes } from 'node:crypto';
import type { AcceptedRequest, OperationId } from '@roster/contract';
import { stampInId } from './request-id.ts';

/**
 * A request as stored in Redis: the body is the JSON that came in, and the stamp is in the id. It has no member names, because a waiting entry
 * has to be small.
 */
export type Packed = [id: string, ws: string, op: OperationId, body: unknown, rest?: Rest];
type Rest = Pick<
  AcceptedRequest,
  'params' | 'query' | 'headers' | 'by' | 'from' | 'exact' | 'needs' | 'again' | 'reply'
>;

/** By it workers recognise jobs that they must not take. */
const currentVersion = 1;

/** The data of one BullMQ job: whole requests, never a part of one. */
export interface Group {
  v: typeof currentVersion;
  entries: number;
  bytes: number;
  requests: Packed[];
  /** How often the requests that wait longest were postponed: see postponed.ts. */
  tries?: number;
  /** How often the other requests were postponed, by their ids. */
  fewerTries?: Record<string, number>;
}

export const isOfThisVersion = ({ v }: Group): boolean => v === currentVersion;

export const unpack = ([id, ws, op, body, rest]: Packed): AcceptedRequest => ({
  id,
  ws,
  op,
  at: stampInId(id),
  ...(body !== null && { body }),
  ...rest,
});

/** The notice of an identity request: digests of the people that it names, and whether it deletes them. */
interface Naming {
  names: readonly string[];
  deletes: boolean;
}

/** A naming on its way to Redis. */
export interface Notice extends Naming {
  ws: string;
  id: string;
  at: number;
}

/** A request on its way into a group; `body` is its JSON as bytes, empty when there is none. */
export interface Sized {
  request: Omit<AcceptedRequest, 'body'>;
  body: Buffer;
  entries: number;
  /** Only for an identity request. */
  naming?: Naming;
}

/** A group before it is written to Redis, with the facts that are needed without parsing it. */
export interface OutgoingGroup {
  op: OperationId;
  /** The workspace, if all requests are of one. */
  ws: string | undefined;
  oldest: number;
  suffix: string;
  members: number;
  json: Buffer;
  notices: Notice[];
}

/** The source of the bytes of a group. */
type TakeBytes = (size: number) => Buffer;

export const maxGroupBytes = 1_000_000;

/** A worker takes a job as a whole while other jobs wait: at most half a turn of the track service. */
export const maxGroupEntries = 1000;

/** About the bytes of a request beside its body. */
const overhead = 60;

const none = Buffer.from('null');

const restOf = ({
  params,
  query,
  headers,
  by,
  from,
  exact,
  needs,
  again,
  reply,
}: Sized['request']): string => {
  if (!params && !query && !headers && !by && !from && !exact && !needs && !again && !reply) return '';
  // JSON.stringify leaves `undefined` out.
  return `,${JSON.stringify({ params, query, headers, by, from, exact, needs, again, reply })}`;
};

export const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/**
 * Ids, workspaces and operations need no escapes. The body stays the bytes that came: it is parsed already, and writing it again would be the
 * most expensive step of the ingress.
 */
const write = (members: readonly Sized[], bytes: number, take: TakeBytes): Buffer => {
  const parts: (string | Buffer)[] = [];
  let before = `{"v":${currentVersion},"entries":${sum(members, ({ entries }) => entries)},"bytes":${bytes},"requests":[`;
  for (const { request, body } of members) {
    parts.push(`${before}["${request.id}","${request.ws}","${request.op}",`, body.length > 0 ? body : none);
    before = `${restOf(request)}],`;
  }
  parts.push(`${before.slice(0, -1)}]}`);
  return joined(parts, take);
};

const joined = (parts: readonly (string | Buffer)[], take: TakeBytes): Buffer => {
  const lengthOf = (part: string | Buffer): number =>
    typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  const whole = take(sum(parts, lengthOf));
  let place = 0;
  for (const part of parts) {
    place += typeof part === 'string' ? whole.write(part, place) : part.copy(whole, place);
  }
  return whole.subarray(0, place);
};

const noticesOf = (members: readonly Sized[]): Notice[] =>
  members.flatMap(({ request: { ws, id, at }, naming }) => (naming ? [{ ws, id, at, ...naming }] : []));

export const onlyWorkspace = (items: readonly Sized[]): string | undefined => {
  const ws = items[0]?.request.ws;
  return items.every(({ request }) => request.ws === ws) ? ws : undefined;
};

const close = (members: readonly Sized[], bytes: number, take: TakeBytes): OutgoingGroup => ({
  op: (members[0] as Sized).request.op,
  ws: onlyWorkspace(members),
  oldest: members.reduce((oldest, { request }) => Math.min(oldest, request.at), Number.POSITIVE_INFINITY),
  suffix: freshSuffix(members.map(({ request }) => request)),
  members: members.length,
  json: write(members, bytes, take),
  notices: noticesOf(members),
});

/** Cuts gathered requests into groups of at most a megabyte and a thousand entries, or one request if that is bigger. */
export const intoGroups = (
  items: readonly Sized[],
  maxBytes = maxGroupBytes,
  maxEntries = maxGroupEntries,
  take: TakeBytes = Buffer.allocUnsafe,
): OutgoingGroup[] => {
  const groups: OutgoingGroup[] = [];
  let members: Sized[] = [];
  let bytes = 0;
  let entries = 0;
  for (const item of items) {
    const size = item.body.length + overhead;
    if (members.length > 0 && (bytes + size > maxBytes || entries + item.entries > maxEntries)) {
      groups.push(close(members, bytes, take));
      members = [];
      bytes = 0;
      entries = 0;
    }
    members.push(item);
    bytes += size;
    entries += item.entries;
  }
  if (members.length > 0) groups.push(close(members, bytes, take));
  return groups;
};

const tagOf = (ws: string): string => hash('sha256', ws, 'base64url').slice(0, 8);

/**
 * A job id tells the fence the oldest stamp in the job and, if all requests are of one workspace, that workspace. So the fence need not read
 * the job. The suffix makes the id of each write unique.
 */
export const groupId = (oldest: number, suffix: string, ws?: string): string =>
  `g${oldest.toString(36)}-${suffix}${ws === undefined ? '' : `.${tagOf(ws)}`}`;

type Marked = Pick<AcceptedRequest, 'op' | 'by'>;

const isOfSync = ({ by }: Marked): boolean => by?.startsWith('sync:') ?? false;

const aliasOperations: ReadonlySet<OperationId> = new Set(['users.alias.new', 'users.alias.update']);

/** It gives a person another alias: no statement of consent depends on it, and it depends on none. */
export const isAboutAliases = ({ op }: Marked): boolean => aliasOperations.has(op);

/** The suffix of a new job. A mark tells of a job with requests of a sync alone, for which no caller waits, or about aliases alone. */
export const freshSuffix = (requests: readonly Marked[]): string => {
  const mark = requests.every(isOfSync) ? 's' : requests.every(isAboutAliases) ? 'n' : '';
  return mark + randomBytes(6).toString('hex');
};

export const isBackground = (id: string): boolean => /^g[0-9a-z]+-s/.test(id);
export const isJobAboutAliases = (id: string): boolean => /^g[0-9a-z]+-n/.test(id);

/** For many ids: whether a job may hold requests of this workspace. */
export const mayHold = (ws: string): ((id: string) => boolean) => {
  const own = tagOf(ws);
  return (id) => {
    const dot = id.lastIndexOf('.');
    return dot < 0 || id.slice(dot + 1) === own;
  };
};

export const stampOfGroupId = (id: string): number | undefined => {
  const stamp = /^g([0-9a-z]+)-/.exec(id)?.[1];
  return stamp === undefined ? undefined : Number.parseInt(stamp, 36);
};

/** The same in a script. For an unknown id it is 0, the oldest possible stamp. */
export const luaStampOf = `
local function stampOf(id)
  local stamp = string.match(id, '^g([0-9a-z]+)-')
  return stamp and tonumber(stamp, 36) or 0
end`;
