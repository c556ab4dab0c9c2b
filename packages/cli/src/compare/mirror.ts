/** The same requests to Roster, in the order in which they came: one after the other, within bounds. */
import { about, Roster, RosterError, UnavailableError } from '@roster/client';
import type { Target } from '../import/target.ts';
import type { Passing } from './forward.ts';
import type { Match } from './match.ts';
import type { Told } from './places.ts';

const usuallyWaiting = 1000;
const mostBytes = 64 * 1024 * 1024;
const usualEndMs = 10_000;

interface Bounds {
  mostWaiting?: number;
  endMs?: number;
}

export interface Mirror {
  /** `undefined`: too much waits already. Rejected when Roster gives no answer. */
  send(match: Match, passing: Passing): Promise<Told> | undefined;
  /** Resolved when all of it is answered. */
  idle(): Promise<void>;
  /** The same, and soon: nothing is tried again, and after some seconds nothing is waited for. */
  end(): Promise<void>;
}

/** 429 and 503 are about the moment; a 500 is a bug, which a comparison has to show. */
const isAnswer = (error: unknown): error is RosterError =>
  error instanceof RosterError &&
  error.status > 0 &&
  error.status !== 429 &&
  !(error instanceof UnavailableError);

const queryOf = (path: string): Record<string, string[]> => {
  const asked: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(path.split('?')[1] ?? '')) {
    const plain = name.replace(/\[\]$/, '');
    asked[plain] = [...(asked[plain] ?? []), value];
  }
  return asked;
};

export const createMirror = (
  { url, key }: Target,
  { mostWaiting = usuallyWaiting, endMs = usualEndMs }: Bounds = {},
): Mirror => {
  const roster = new Roster({ url, key });
  const [pauses, calls] = [new AbortController(), new AbortController()];
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let bytes = 0;

  const ask = async ({ id, params }: Match, { path, headers, body }: Passing): Promise<Told> => {
    const idempotencyKey = headers['idempotency-key'];
    const options = {
      signal: calls.signal,
      pauseSignal: pauses.signal,
      ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
    };
    const sent = { params, query: queryOf(path), ...(body.length > 0 && { json: body.toString() }) };
    try {
      const answer = await roster.call(id, sent, options);
      return { status: about(answer)?.status ?? 200, body: answer };
    } catch (error) {
      if (isAnswer(error)) return { status: error.status, body: error.body };
      throw error;
    }
  };

  const idle = async (): Promise<void> => {
    while (waiting > 0) await last;
  };

  return {
    send(match, passing) {
      if (waiting >= mostWaiting || bytes + passing.body.length > mostBytes) return undefined;
      waiting += 1;
      bytes += passing.body.length;
      const told = last
        .then(() => ask(match, passing))
        .finally(() => {
          waiting -= 1;
          bytes -= passing.body.length;
        });
      last = told.catch(() => undefined);
      return told;
    },
    idle,
    async end() {
      pauses.abort();
      const timer = setTimeout(() => calls.abort(), endMs);
      await idle().finally(() => clearTimeout(timer));
    },
  };
};
