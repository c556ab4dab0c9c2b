/** A request until it is answered: sent again after what passes, with its one idempotency key, and never after a refusal. */

import { remember } from './about.ts';
import { createAttempt, type Received, type Wire } from './attempt.ts';
import type { CallOptions, Pause } from './call-options.ts';
import { positive, refuseOthers } from './checked.ts';
import { errorOf } from './error-of.ts';
import { ConnectionError, type ErrorDetails, RosterError } from './errors.ts';
import { isObject } from './is-object.ts';
import type { Log } from './log.ts';
import { pause as usualPause } from './pause.ts';
import { isSigned } from './received.ts';
import { pauseAfter } from './retry.ts';
import type { Known } from './table.ts';
import { version } from './version.ts';

/** A request, ready to be sent as often as it takes. */
interface Ready {
  row: Known;
  url: string;
  body: string | undefined;
  options: CallOptions;
  /** The time that a rate limit asks for does not count as time of retries. */
  isPatient?: boolean;
}

export interface Settings extends Wire {
  headersFor(row: Known): Record<string, string>;
  /** Seconds. */
  timeout: number;
  retryFor: number;
  log: Log;
}

export type Send = (ready: Ready) => Promise<object>;

/** Names are in small letters, so that none stands there twice; a value that is `undefined` is not given. */
const given = (headers: NonNullable<CallOptions['headers']>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  );

/** What is the same for each attempt, and what comes after one that failed. */
const planOf = ({ row, body, options }: Ready, settings: Settings) => {
  const { signal, timeout, retryFor, retryIf, pause, wait, idempotencyKey, headers, ...others } = options;
  refuseOthers(others);
  return {
    signal,
    timeoutMs: (positive('timeout', timeout ?? settings.timeout) + (wait ?? 0)) * 1000,
    retryMs: (retryFor ?? settings.retryFor) * 1000,
    retryIf,
    pause: (next: Pause) => pause?.(next) ?? usualPause(next.ms, signal),
    headers: {
      'user-agent': `roster-client/${version}`,
      ...settings.headersFor(row),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(row.writes && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
      ...(wait && { prefer: `wait=${wait}` }),
      ...given(headers ?? {}),
    },
  };
};

type Plan = ReturnType<typeof planOf>;

const broken = (what: string, { row }: Ready, details: ErrorDetails): ConnectionError =>
  new ConnectionError(what, { operation: row.id, ...details });

/** The body of a success, which `about` knows the headers of. */
const answerOf = ({ status, headers, text }: Received, attempts: number, ready: Ready): object => {
  let answer: unknown = {};
  try {
    if (text !== '') answer = JSON.parse(text);
  } catch (cause) {
    throw broken('the answer is not JSON', ready, { status, cause });
  }
  if (!isSigned(headers, answer)) throw broken('the answer is not from Roster', ready, { status });
  const body = isObject(answer) ? answer : {};
  remember(body, { status, headers, attempts });
  return body;
};

const isSuccess = (status: number): boolean => (status >= 200 && status < 300) || status === 304;

/** The last attempt is told with its error: how often it was tried. */
const counted = (error: unknown, attempts: number): unknown =>
  error instanceof RosterError ? Object.assign(error, { attempts }) : error;

export const createSend = (settings: Settings): Send => {
  const attempt = createAttempt(settings);
  /** Requests on their way, and the most of them so far: as many sockets may be in the pool. */
  let [open, sockets] = [0, 0];

  const once = async (ready: Ready, plan: Plan, number: number): Promise<object> => {
    const { row, url, body } = ready;
    const { timeoutMs, signal } = plan;
    const retry = number > 1 ? { 'x-roster-retry': String(number - 1) } : {};
    const headers = { ...plan.headers, ...retry };
    open += 1;
    sockets = Math.max(sockets, open);
    const received = await attempt({
      attempt: { operation: row.id, number, method: row.method, url, headers },
      body,
      timeoutMs,
      signal,
    }).finally(() => {
      open -= 1;
    });
    if (isSuccess(received.status)) return answerOf(received, number, ready);
    throw errorOf(row.id, received, received.text);
  };

  return async (ready) => {
    const { isPatient = false } = ready;
    const plan = planOf(ready, settings);
    let lastMs = Date.now() + plan.retryMs;
    for (let number = 1; ; number++) {
      try {
        return await once(ready, plan, number);
      } catch (error) {
        const leftMs = lastMs - Date.now();
        const { retryIf } = plan;
        const next = pauseAfter({ error, attempt: number, leftMs, sockets, isPatient, retryIf });
        settings.log({ operation: ready.row.id, number, error, ms: next?.ms });
        if (!next) throw counted(error, number);
        if (isPatient && next.error.status === 429) lastMs += next.ms;
        await plan.pause(next);
      }
    }
  };
};
