/** Databases that misbehave, by the public documentation of their protocols, for tests of those who read them. */
import { createServer, type Socket } from 'node:net';
import { listening } from './loopback.ts';

type Behave = (socket: Socket) => void;

const int32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

/** Without end, as fast as the other side takes it. */
const flood = (socket: Socket, part: Buffer): void => {
  if (!socket.destroyed) socket.write(part, () => setImmediate(flood, socket, part));
};

/** For each part that comes, in turn; the last one for all later ones. */
const steps =
  (...answers: readonly ((socket: Socket, asked: Buffer) => void)[]): Behave =>
  (socket) => {
    let at = 0;
    socket.on('data', (asked) => {
      answers[Math.min(at, answers.length - 1)]?.(socket, asked);
      at += 1;
    });
  };

const nothing = (): void => {};

/** https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ */
const mongodbHeader = (asked: Buffer, bytes: number): Buffer => {
  const isQuery = asked.readInt32LE(12) === 2004;
  const head = Buffer.alloc(isQuery ? 36 : 21);
  head.writeInt32LE(Math.min(0x7fff_ffff, head.length + bytes), 0);
  head.writeInt32LE(asked.readInt32LE(4), 8);
  head.writeInt32LE(isQuery ? 1 : 2013, 12);
  if (isQuery) head.writeInt32LE(1, 32);
  return head;
};

const bson = (...parts: readonly Buffer[]): Buffer => {
  const inside = Buffer.concat(parts);
  const whole = Buffer.alloc(4 + inside.length + 1);
  whole.writeInt32LE(whole.length);
  inside.copy(whole, 4);
  return whole;
};

/** A list of empty documents: each takes 8 bytes, and many more in memory. */
const documentOf = (bytes: number): Buffer => {
  const empty = Buffer.concat([Buffer.from('\x030\0'), bson()]);
  const list = bson(Buffer.alloc(bytes - (bytes % empty.length), empty));
  return bson(Buffer.from('\x04a\0'), list);
};

const greets = (bytes: number) => {
  let document: Buffer | undefined;
  return (socket: Socket, asked: Buffer): void => {
    document ??= documentOf(bytes);
    socket.write(mongodbHeader(asked, document.length));
    socket.write(document);
  };
};

const declares =
  (bytes: number) =>
  (socket: Socket, asked: Buffer): void => {
    socket.write(mongodbHeader(asked, bytes));
    flood(socket, Buffer.alloc(65_536, 1));
  };

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
const message = (type: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
const repeated = (one: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(65_536 / one.length) }, () => one));
const letIn = message('R', int32(0));
const isReady = message('Z', Buffer.from('I'));
const oneColumn = message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('a\0'), Buffer.alloc(18)]));

const letsIn = (socket: Socket): void => void socket.write(Buffer.concat([letIn, isReady]));

/** https://dev.mysql.com/doc/dev/mysql-server/latest/PAGE_PROTOCOL.html */
const packet = (sequence: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, body]);
};
const handshake = packet(
  0,
  Buffer.concat([
    Buffer.from('\n8.0.0\0'),
    int32(1),
    Buffer.from('12345678\0'),
    Buffer.from([0xff, 0xf7, 45, 2, 0, 0xff, 0x81, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ]),
);
const accepts = (socket: Socket): void => void socket.write(packet(2, Buffer.from([0, 0, 0, 2, 0, 0, 0])));
const largest = Buffer.from([0xff, 0xff, 0xff]);

const afterHandshake =
  (behave: Behave): Behave =>
  (socket) => {
    socket.write(handshake);
    behave(socket);
  };

export const hostile = {
  mongodb: {
    silent: nothing,
    'a first answer of 24 MB': steps(greets(24_000_000)),
    'a first answer of 2 GB': steps(declares(0x7fff_ffff)),
  },
  postgresql: {
    silent: nothing,
    'silent once it has let us in': steps(letsIn, nothing),
    'parameters without end': steps((socket) => {
      socket.write(letIn);
      flood(socket, repeated(message('S', Buffer.from('name\0value\0'))));
    }),
    'notices without end': steps(letsIn, (socket) =>
      flood(socket, repeated(message('N', Buffer.from('Mx\0\0')))),
    ),
    'a row without end': steps(letsIn, (socket) => {
      socket.write(Buffer.concat([oneColumn, Buffer.from('D'), int32(0x7fff_ffff)]));
      flood(socket, Buffer.alloc(65_536, 1));
    }),
  },
  mysql: {
    silent: nothing,
    'a handshake without end': (socket: Socket) => {
      socket.write(Buffer.concat([largest, Buffer.from([0])]));
      flood(socket, Buffer.alloc(65_536, 1));
    },
    'an answer without end': afterHandshake(
      steps(accepts, (socket) => {
        socket.write(Buffer.concat([largest, Buffer.from([1])]));
        flood(socket, Buffer.alloc(65_536, 1));
      }),
    ),
  },
} satisfies Record<string, Record<string, Behave>>;

/** On loopback: its address is `host:port`. */
export const openHostile = async (behave: Behave) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', nothing);
    socket.on('close', () => sockets.delete(socket));
    behave(socket);
  });
  const { host } = new URL(await listening(server));
  return {
    at: host,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
