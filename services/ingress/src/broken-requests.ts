/** Requests that are no HTTP, have too large headers, or are too slow: Node reports them as errors of the socket. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import {
  errorHeadersOf,
  Rejection,
  type RejectionCode,
  rejectionBody,
  scimErrorBody,
} from '@roster/contract';
import type { Linger } from './linger.ts';

const tooLarge = new Rejection('HEADERS_TOO_LARGE');

const refusedAs = (code: RejectionCode) => {
  const rejection = new Rejection(code);
  return { code, body: JSON.stringify(rejectionBody(rejection)) };
};

interface Broken {
  status: string;
  /** None when it is no HTTP. */
  code?: RejectionCode;
  body: string;
}

const badRequest: Broken = {
  status: '400 Bad Request',
  body: JSON.stringify({ message: 'Bad Request' }),
};

const answers: { readonly [code: string]: Broken } = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: tooLarge.code,
    // The dialect of the caller is not known yet: this is an error in both.
    body: JSON.stringify({ ...rejectionBody(tooLarge), ...scimErrorBody(tooLarge) }),
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: '413 Payload Too Large', ...refusedAs('BODY_TOO_LARGE') },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', ...refusedAs('BODY_TOO_SLOW') },
};

const written = ({ status, code, body }: Broken): string =>
  [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(code ? errorHeadersOf({ code }) : {}).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');

const refuse = (code: string | undefined, socket: Socket, linger: Linger): void => {
  // It has its answer, and bounds of its own.
  if (linger.has(socket)) return;
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const answer = written(answers[code ?? ''] ?? badRequest);
  socket.write(answer);
  // How much is still to come is not known any more.
  linger(socket, 0);
};

export const refuseBrokenRequests = (server: Server, linger: Linger): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuse(error.code, socket as Socket, linger),
  );
};
