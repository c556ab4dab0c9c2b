import { type ServerResponse, STATUS_CODES } from 'node:http';
import { isRejection, Rejection, rejectionWithRetry } from '@roster/contract';
import { Unavailable } from '@roster/queue';
import type { Standing } from './limiter.ts';

/** What goes back to the caller; `body` is JSON text. */
export interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** Known before the answer is: who asked, and where they stand. */
export interface Asked {
  id: string;
  standing?: Standing | undefined;
  closing: boolean;
}

const rateHeaders = ({ limit, remaining, reset }: Standing, into: Record<string, string | number>): void => {
  into['X-RateLimit-Limit'] = limit;
  into['X-RateLimit-Remaining'] = remaining;
  into['X-RateLimit-Reset'] = reset;
};

/** These say all with their status; a length or type would be of a body that there is not. */
const hasBody = (status: number): boolean => status !== 204 && status !== 304;

/** Written at once: no template, no ETag, no second pass over the text. */
export const writeAnswer = (
  response: ServerResponse,
  { id, standing, closing }: Asked,
  answer: Answer,
): void => {
  if (response.headersSent || response.destroyed) return;
  const headers: Record<string, string | number> = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(answer.body),
    'Cache-Control': 'no-store',
    'X-Request-Id': id,
  };
  if (standing) rateHeaders(standing, headers);
  if (closing) headers.Connection = 'close';
  if (answer.headers) Object.assign(headers, answer.headers);
  if (!hasBody(answer.status)) {
    delete headers['Content-Type'];
    delete headers['Content-Length'];
  }
  response.writeHead(answer.status, STATUS_CODES[answer.status] ?? '', headers).end(answer.body);
};

/** Every way in which a request can fail becomes a rejection of the catalogue; what is none of them is a bug of ours. */
export const asRejection = (error: unknown): Rejection => {
  if (isRejection(error)) return error;
  if (error instanceof Unavailable) return rejectionWithRetry('UNAVAILABLE', 1);
  return new Rejection('INTERNAL');
};
