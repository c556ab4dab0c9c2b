/** Requests that are no HTTP, have too large headers, or are too slow: Node reports them as errors of the socket. */
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorHeadersOf, Rejection, rejectionBody, scimErrorBody } from '@roster/contract';
import type { Linger } from './linger.ts';

/** By the code of the error; what is not here is no HTTP. */
const rejections: { readonly [code: string]: Rejection } = {
  HPE_HEADER_OVERFLOW: new Rejection('HEADERS_TOO_LARGE'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Rejection('BODY_TOO_LARGE'),
  ERR_HTTP_REQUEST_TIMEOUT: new Rejection('BODY_TOO_SLOW'),
};

const badRequest = { message: 'Bad Request' };

/** Before the path is known the dialect of the caller is not: with too large headers this is an error in both. */
const bodyOf = (rejection: Rejection): object => ({
  ...rejectionBody(rejection),
  ...(rejection.code === 'HEADERS_TOO_LARGE' && scimErrorBody(rejection)),
});

const written = (rejection: Rejection | undefined): string => {
  const status = rejection?.status ?? 400;
  const body = JSON.stringify(rejection ? bodyOf(rejection) : badRequest);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(rejection ? errorHeadersOf(rejection) : {}).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
};

const refuse = (code: string | undefined, socket: Socket, linger: Linger): void => {
  // It has its answer, and bounds of its own.
  if (linger.has(socket)) return;
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.write(written(rejections[code ?? '']));
  // How much is still to come is not known any more.
  linger(socket, 0);
};

export const refuseBrokenRequests = (server: Server, linger: Linger): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuse(error.code, socket as Socket, linger),
  );
};
