/** An answer is early when much of the request has not been read yet (docs/adr/ingress.md). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcedLength } from './body.ts';
import type { Linger } from './linger.ts';

/** So little is read by Node itself after the answer, and the connection is kept. */
const little = 64 * 1024;

/** Bytes that may still come, from the headers alone; how many have come already is not asked. */
const announced = (request: IncomingMessage): number => announcedLength(request) ?? Number.POSITIVE_INFINITY;

/** A connection that is to be closed must not have anything unread. */
export const isEarly = (request: IncomingMessage, closing: boolean): boolean =>
  !request.complete && announced(request) > (closing ? 0 : little);

/**
 * Node closes a connection when a response ends that says so, and a close with unread bytes is a reset, which destroys the answer on its way.
 * So the response is written as a whole, but never ended.
 */
export const endEarly = (response: ServerResponse, body: string, linger: Linger): void => {
  const { req, socket } = response;
  if (body && req.method !== 'HEAD') response.write(body);
  else response.flushHeaders();
  if (socket) linger(socket, announced(req));
};

/** The little that may be left of the request is read by Node, so that the next one on this connection can be. */
export const endInTime = (response: ServerResponse, body: string): void => {
  response.end(body);
  if (!response.req.complete) response.req.resume();
};

/** Sends `100 Continue` when the handler begins to read the body. A request that is refused before that gets its rejection instead. */
export const inviteWhenRead = (request: IncomingMessage, response: ServerResponse): void => {
  request.once('resume', () => {
    if (!response.headersSent && !response.destroyed) response.writeContinue();
  });
};
