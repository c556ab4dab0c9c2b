import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { listening } from '@roster/testkit';
import { type Connections, openConnections } from './connections.ts';

/** For the tests of a file. */
export const useConnections = (): Connections => {
  const connections = openConnections();
  afterAll(() => connections.close());
  return connections;
};

interface Http2Options {
  maxConcurrentStreams?: number;
  onSession?(): void;
  onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void;
}

/** The server of a provider, without TLS. */
export const openHttp2 = async ({ onSession, onStream, ...settings }: Http2Options) => {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer({ settings });
  server.on('session', (session) => {
    onSession?.();
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    onStream(stream, headers);
  });
  return {
    url: await listening(server),
    sessions,
    close(): void {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
};

export const answerWithoutEnd = (stream: ServerHttp2Stream, status: number): void => {
  stream.respond({ ':status': status });
  const more = (): void => {
    while (!stream.destroyed && stream.write('x'.repeat(10_000)));
    stream.once('drain', more);
  };
  more();
};
