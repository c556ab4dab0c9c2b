import { type ServerResponse, STATUS_CODES } from 'node:http';
import {
  type Answer,
  type Asked,
  type Headers,
  lengthOf,
  priceHeaders,
  rateHeaders,
} from './answer-headers.ts';
import { endEarly, endInTime, isEarly } from './early-answer.ts';

/** A caller that does not take a piece of a long answer in this time is cut off: the rest of the answer takes memory. */
const patience = 30_000;

/** Resolves when the caller has taken the written bytes, has gone, or is cut off. */
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
  { id, standing, price = 0, work, closing, linger }: Asked,
  answer: Answer,
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
