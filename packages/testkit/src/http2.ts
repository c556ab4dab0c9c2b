/** A server of HTTP/2 that tests play, without TLS. */
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { listening } from './loopback.ts';

interface Http2Options {
  maxConcurrentStreams?: number;
  onSession?(session: ServerHttp2Session): void;
  onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void;
}

export const openHttp2 = async ({ onSession, onStream, ...settings }: Http2Options) => {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer({ settings });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
    onSession?.(session);
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
