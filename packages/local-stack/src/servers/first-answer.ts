/** Whether a server speaks its protocol yet: the first bytes that it sends, on a connection of their own. */
import { connect } from 'node:net';

const mostMs = 1_000;

interface FirstAnswer {
  /** What makes it speak; some greet by themselves. */
  say?: string | Buffer;
  isGood(data: Buffer): boolean;
}

/** Throws unless the answer is good. */
export const firstAnswer = (port: number, { say, isGood }: FirstAnswer): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => say !== undefined && socket.write(say));
    const end = (error?: Error): void => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.setTimeout(mostMs, () => end(new Error('no answer')));
    socket.once('error', end);
    // A server that dies says nothing more.
    socket.once('close', () => end(new Error('the connection was closed')));
    socket.once('data', (data) => end(isGood(data) ? undefined : new Error(String(data))));
  });
