import type { AcceptedRequest, OperationId } from '@roster/contract';
import type { Naming, Notice } from './notice.ts';
import { stampInId } from './request-id.ts';

/**
 * A request as it lies in Redis: the body is the JSON that came in, the stamp stands in the id, and names are left out, because a
 * waiting entry has to cost little.
 */
export type Packed = [id: string, ws: string, op: OperationId, body: unknown, rest?: Rest];
type Rest = Pick<
  AcceptedRequest,
  'params' | 'query' | 'headers' | 'by' | 'exact' | 'again' | 'reply' | 'trace'
>;

/** The data of one BullMQ job: whole requests, never a part of one. By `v` old workers recognise jobs that they must leave alone. */
export interface Group {
  v: 1;
  entries: number;
  bytes: number;
  requests: Packed[];
  /** How often the requests that wait longest were postponed: see postponed.ts. */
  tries?: number;
  /** How often the other requests were postponed, by their ids. */
  fewerTries?: Record<string, number>;
}

export const unpack = ([id, ws, op, body, rest]: Packed): AcceptedRequest => ({
  id,
  ws,
  op,
  at: stampInId(id),
  ...(body !== null && { body }),
  ...rest,
});

/** A request on its way into a group; `body` is its JSON as bytes, empty when there is none. */
export interface Sized {
  request: Omit<AcceptedRequest, 'body'>;
  body: Buffer;
  entries: number;
  /** Only for an identity request. */
  naming?: Naming;
}

/** A group on its way to Redis, with the facts that are needed without reading it. */
export interface Outgoing {
  op: OperationId;
  /** When all are of one. */
  ws: string | undefined;
  oldest: number;
  members: number;
  json: Buffer;
  notices: Notice[];
}
