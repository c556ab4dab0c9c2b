// One HTTP/1.1 connection, one request at a time, written by hand: a client library would cost more than the server.
import { connect } from 'node:net';

export interface Connection {
  /** Sends prepared bytes and gives the status of the answer. */
  exchange(request: Buffer): Promise<number>;
  close(): void;
}

const endOfHead = Buffer.from('\r\n\r\n');

/** The status, once head and body are complete; undefined while they are not. */
const statusOf = (bytes: Buffer): number | undefined => {
  const end = bytes.indexOf(endOfHead);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!length) throw new Error(`the load client needs a content-length: ${head}`);
  return bytes.length >= end + 4 + Number(length[1]) ? Number(head.slice(9, 12)) : undefined;
};

export const openConnection = (host: string, port: number): Promise<Connection> =>
  new Promise((opened, failed) => {
    const socket = connect({ host, port, noDelay: true });
    let received: Buffer = Buffer.alloc(0);
    let settle: { answer(status: number): void; fail(error: Error): void } | undefined;

    const receive = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const status = statusOf(received);
      if (status === undefined) return;
      received = Buffer.alloc(0);
      settle?.answer(status);
    };
    const fail = (error: Error) => {
      failed(error);
      settle?.fail(error);
    };
    const exchange = (request: Buffer) =>
      new Promise<number>((answer, fail) => {
        settle = { answer, fail };
        socket.write(request);
      });

    socket.on('data', receive);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed the connection')));
    socket.on('connect', () => opened({ exchange, close: () => socket.destroy() }));
  });
