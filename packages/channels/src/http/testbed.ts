import type { Writable } from 'node:stream';
import { openNames } from '@roster/names';
import { type Connections, openConnections } from './connections.ts';

/** For the tests of a file. */
export const useConnections = (): Connections => {
  const connections = openConnections(openNames());
  afterAll(() => connections.close());
  return connections;
};

export const writeWithoutEnd = (stream: Writable, piece = 'x'): void => {
  const part = piece.repeat(10_000);
  const more = (): void => {
    while (!stream.destroyed && stream.write(part));
    stream.once('drain', more);
  };
  more();
};
