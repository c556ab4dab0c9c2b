/** The same requests to Roster, in the order in which they came: one after the other, within bounds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { about, type Pause, Roster, RosterError, UnavailableError } from '@roster/client';
import { routeOf } from '@roster/contract';
import type { Target } from '../import/target.ts';
import type { Told } from './places.ts';

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

interface Mirrored extends Match {
  query: URLSearchParams;
  idempotencyKey: string | undefined;
  /** Read when it is its turn. */
  json(): string;
}

const usuallyWaiting = 1000;
const usualEndMs = 10_000;
const usuallyInAnswer = 32 * 1024 * 1024;

const tooLarge = new Error('the answer is larger than any of Roster');

/** 429 and 503 are about the moment; a 500 is a bug, which a comparison has to show. */
const isAnswer = (error: unknown): error is RosterError =>
  error instanceof RosterError &&
  error.status >= 300 &&
  error.status !== 429 &&
  !(error instanceof UnavailableError);

/** A list has its name once for each value, with or without `[]`. */
const queryOf = (asked: URLSearchParams): Record<string, string[]> => {
  const query = new Map<string, string[]>();
  for (const [name, value] of asked) {
    const plain = name.replace(/\[\]$/, '');
    query.set(plain, [...(query.get(plain) ?? []), value]);
  }
  return Object.fromEntries(query);
};

/** An answer breaks off beyond so many bytes. */
const boundedFetch =
  (most: number) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.length;
        if (bytes > most) controller.error(tooLarge);
        else controller.enqueue(piece);
      },
    });
    return new Response(response.body?.pipeThrough(bound) ?? null, response);
  };

export const createMirror = (
  { url, key }: Target,
  { mostWaiting = usuallyWaiting, mostAnswer = usuallyInAnswer, endMs = usualEndMs } = {},
) => {
  const roster = new Roster({ url, key, fetch: boundedFetch(mostAnswer) });
  const [pauses, calls] = [new AbortController(), new AbortController()];
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const ask = async ({ id, params, query, idempotencyKey, json }: Mirrored): Promise<Told> => {
    calls.signal.throwIfAborted();
    const options = {
      signal: calls.signal,
      pause: async ({ error, ms }: Pause) => {
        if (error.cause === tooLarge) throw error;
        await sleep(ms, undefined, { signal: pauses.signal });
      },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    const text = json();
    try {
      const sent = { params, query: queryOf(query), ...(text !== '' && { json: text }) };
      const body = await roster.call(id, sent, options);
      return { status: about(body)?.status ?? 200, body };
    } catch (error) {
      if (isAnswer(error)) return { status: error.status, body: error.body };
      throw error;
    }
  };

  return {
    /** `undefined`: too many wait already. Rejected when Roster gives no answer. */
    send(request: Mirrored): Promise<Told> | undefined {
      if (waiting >= mostWaiting) return undefined;
      waiting += 1;
      const told = last
        .then(() => ask(request))
        .finally(() => {
          waiting -= 1;
        });
      last = told.catch(() => undefined);
      return told;
    },
    /** From now on nothing is tried again, and after some seconds nothing is waited for. */
    end(): void {
      pauses.abort();
      setTimeout(() => calls.abort(), endMs).unref();
    },
  };
};

export type Mirror = ReturnType<typeof createMirror>;
