/** What is no HTTP, too big before anything of it was understood, or too slow: Node hands it over as an error of the socket. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Rejection, rejectionBody, scimErrorBody } from '@roster/contract';

const tooLarge = new Rejection('HEADERS_TOO_LARGE');
const bodyOf = (message: string): string => JSON.stringify({ message });

interface Broken {
  status: string;
  body: string;
}

const badRequest: Broken = { status: '400 Bad Request', body: bodyOf('Bad Request') };

const answers: { readonly [code: string]: Broken } = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    // Nobody can tell yet which dialect the caller speaks: this is an error in both.
    body: JSON.stringify({ ...rejectionBody(tooLarge), ...scimErrorBody(tooLarge) }),
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    body: bodyOf('Request Entity Too Large'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', body: bodyOf('Request Timeout') },
};

const written = ({ status, body }: Broken): string =>
  [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

/** Whoever is still sending would not read an answer that comes with a reset: so the end comes a moment after the answer. */
const lingerMs = 250;

const refuse = (code: string | undefined, socket: Socket): void => {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.end(written(answers[code ?? ''] ?? badRequest));
  setTimeout(() => socket.destroy(), lingerMs).unref();
};

export const refuseBrokenRequests = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error.code, socket as Socket));
};
