import type { ServerHttp2Stream } from 'node:http2';
import { type Connections, openConnections } from './connections.ts';

/** For the tests of a file. */
export const useConnections = (): Connections => {
  const connections = openConnections();
  afterAll(() => connections.close());
  return connections;
};

export const answerWithoutEnd = (stream: ServerHttp2Stream, status: number): void => {
  stream.respond({ ':status': status });
  const more = (): void => {
    while (!stream.destroyed && stream.write('x'.repeat(10_000)));
    stream.once('drain', more);
  };
  more();
};
