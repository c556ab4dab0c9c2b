import { type ServerResponse, STATUS_CODES } from 'node:http';
import { isRejection, Rejection, rejectionWithRetry } from '@roster/contract';
import { type Reply, Unavailable } from '@roster/queue';
import { NoRoom } from './budget.ts';
import { endEarly, endInTime, isEarly } from './early-answer.ts';
import type { Standing } from './limiter.ts';
import type { Linger } from './linger.ts';

/** The answer to the caller. What a long one takes is freed once the caller has it or is gone. */
export type CallerAnswer = Omit<Reply, 'sent'>;

/** Facts about the request that decide the headers of the answer and how it ends. */
export interface AnswerContext {
  id: string;
  standing?: Standing | undefined;
  /** The price of the request in points, and the points that the workspace has left. */
  price?: number;
  work?: Standing | undefined;
  closing: boolean;
  /** How an early answer is ended; without it, the rest of the request is cut off. */
  linger?: Linger | undefined;
}

type Headers = Record<string, string | number>;

const rateHeaders = ({ limit, remaining, reset }: Standing, into: Headers): void => {
  into['X-RateLimit-Limit'] = limit;
  into['X-RateLimit-Remaining'] = remaining;
  into['X-RateLimit-Reset'] = reset;
};

const priceHeaders = (price: number, { remaining, reset }: Standing, into: Headers): void => {
  into['X-Roster-Price'] = price;
  into['X-Roster-Work-Remaining'] = remaining;
  into['X-Roster-Work-Reset'] = reset;
};

const lengthOf = ({ body, rest = [] }: CallerAnswer): number =>
  Buffer.byteLength(body) + rest.reduce((sum, { length }) => sum + length, 0);

/** A caller who does not take a piece of a long answer in this time gets no more: what is left of it lies in memory. */
const patience = 30_000;

/** Comes back when the caller has taken what was written, has gone, or is cut off. */
const taken = (response: ServerResponse, event: 'drain' | 'finish', ms: number): Promise<void> =>
  new Promise((resolve) => {
    const cutOff = setTimeout(() => response.destroy(), ms);
    const go = (): void => {
      clearTimeout(cutOff);
      response.off(event, go).off('close', go);
      resolve();
    };
    response.once(event, go).once('close', go);
  });

/** As fast as the caller takes it. A piece that is written is not kept here. */
const writeRest = async (response: ServerResponse, pieces: Buffer[], ms: number): Promise<void> => {
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    if (response.destroyed) return;
    if (response.write(piece)) await new Promise((resolve) => setImmediate(resolve));
    else await taken(response, 'drain', ms);
  }
  if (response.destroyed) return;
  response.end();
  await taken(response, 'finish', ms);
};

/** These say all with their status; a length or type would be of a body that there is not. */
const hasBody = (status: number): boolean => status !== 204 && status !== 304;

/** Written at once: no template, no ETag, no second pass over the text. */
export const writeAnswer = (
  response: ServerResponse,
  { id, standing, price = 0, work, closing, linger }: AnswerContext,
  answer: CallerAnswer,
  patienceMs = patience,
): void => {
  if (response.headersSent || response.destroyed) return;
  const early = isEarly(response.req, closing);
  const headers: Headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': lengthOf(answer),
    'Cache-Control': 'no-store',
    'X-Request-Id': id,
  };
  if (standing) rateHeaders(standing, headers);
  if (work) priceHeaders(price, work, headers);
  if (closing || early) headers.Connection = 'close';
  if (answer.headers) Object.assign(headers, answer.headers);
  if (!hasBody(answer.status)) {
    delete headers['Content-Type'];
    delete headers['Content-Length'];
  }
  response.writeHead(answer.status, STATUS_CODES[answer.status] ?? '', headers);
  if (answer.rest) void writeRest(response, [Buffer.from(answer.body), ...answer.rest], patienceMs);
  else if (early && linger) endEarly(response, answer.body, linger);
  else endInTime(response, answer.body);
};

/** Every way in which a request can fail becomes a rejection of the catalogue; what is none of them is a bug of ours. */
export const asRejection = (error: unknown): Rejection => {
  if (isRejection(error)) return error;
  if (error instanceof NoRoom) return rejectionWithRetry(error.own ? 'SHARE_IN_FLIGHT' : 'OVERLOADED', 2);
  if (error instanceof Unavailable) return rejectionWithRetry('UNAVAILABLE', 1);
  return new Rejection('INTERNAL');
};
