/** The same requests to Roster, in the order in which they came: one after the other, within bounds. */
import { randomUUID } from 'node:crypto';
import { routeOf } from '@roster/contract';
import type { Target } from '../import/target.ts';
import { type Asked, createAsking, isWrite } from './asking.ts';
import type { UnsentRequest } from './unsent.ts';

export interface Match {
  id: string;
  params: string[];
}

/** The operation that a request means, as the client calls it. SCIM has other credentials. */
export const matchOf = (method: string, path: string): Match | undefined => {
  const found = routeOf(method, path);
  if (!found || found.operation.auth === 'scim') return undefined;
  return { id: found.operation.id, params: Object.values(found.params) };
};

export interface Mirrored extends Match {
  query: URLSearchParams;
  idempotencyKey: string | undefined;
  /** Read when it is its turn. */
  json(): string | Promise<string>;
}

export interface MirrorOptions {
  mostWaiting?: number;
  mostAnswer?: number;
  endMs?: number;
  /** Between two attempts to read what includes everything. */
  staleMs?: number;
  /** Seconds in which a request is tried again. */
  retryFor?: number;
  /** Gets the writes that have no answer, in their order but for those that could not wait. */
  unsent?(request: UnsentRequest): void;
}

export type Mirroring = Asked & {
  /** A write before it did not reach Roster. */
  isBehind: boolean;
};

const usuallyWaiting = 1000;
const usualEndMs = 10_000;
const usuallyInAnswer = 32 * 1024 * 1024;
const usualStaleMs = 250;

/** A list has its name once for each value, with or without `[]`. */
const queryOf = (asked: URLSearchParams): Record<string, string[]> => {
  const query = new Map<string, string[]>();
  for (const [name, value] of asked) {
    const plain = name.replace(/\[\]$/, '');
    query.set(plain, [...(query.get(plain) ?? []), value]);
  }
  return Object.fromEntries(query);
};

const toSend = (
  { id, params, query, idempotencyKey = randomUUID() }: Mirrored,
  number: number,
  json: string,
): UnsentRequest => ({
  number,
  operation: id,
  params,
  query: queryOf(query),
  idempotency_key: idempotencyKey,
  json,
});

export const createMirror = (
  target: Target,
  {
    mostWaiting = usuallyWaiting,
    mostAnswer = usuallyInAnswer,
    endMs = usualEndMs,
    staleMs = usualStaleMs,
    retryFor,
    unsent = () => undefined,
  }: MirrorOptions = {},
) => {
  const asking = createAsking(target, { mostAnswer, staleMs, retryFor });
  let last: Promise<unknown> = Promise.resolve();
  let [waiting, number] = [0, 0];
  let firstUnsent = Number.POSITIVE_INFINITY;

  /** Keeps a write that does not reach Roster now. */
  const leave = (request: UnsentRequest): void => {
    if (!isWrite(request.operation)) return;
    firstUnsent = Math.min(firstUnsent, request.number);
    unsent(request);
  };

  const ask = async (request: Mirrored, order: number): Promise<Mirroring> => {
    const sent = toSend(request, order, await request.json());
    try {
      return { ...(await asking.ask(sent)), isBehind: firstUnsent < order };
    } catch (error) {
      leave(sent);
      throw error;
    }
  };

  const leaveAtOnce = async (request: Mirrored, order: number): Promise<void> => {
    if (isWrite(request.id)) firstUnsent = Math.min(firstUnsent, order);
    leave(toSend(request, order, await request.json()));
  };

  return {
    /** `undefined`: too many wait already. Rejected when Roster gives no answer. */
    send(request: Mirrored): Promise<Mirroring> | undefined {
      const order = ++number;
      if (waiting >= mostWaiting) {
        last = Promise.all([last, leaveAtOnce(request, order)]);
        return undefined;
      }
      waiting += 1;
      const told = last
        .then(() => ask(request, order))
        .finally(() => {
          waiting -= 1;
        });
      // The next one only waits for its end.
      last = told.catch(() => undefined);
      return told;
    },
    /** A write that could not be kept: what follows may lack it. */
    miss(id: string): void {
      number += 1;
      if (isWrite(id)) firstUnsent = Math.min(firstUnsent, number);
    },
    /** From now on nothing is tried again, and after some seconds nothing is waited for. */
    end(): void {
      asking.endPauses();
      setTimeout(asking.end, endMs).unref();
    },
  };
};

export type Mirror = ReturnType<typeof createMirror>;
