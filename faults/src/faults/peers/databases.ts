// Databases that misbehave, by the documentation of their protocols: those of the testkit, and slow and lying ones.
import { hostile } from '@roster/testkit';
import { always, type Behave, drip, flood, inTurn, last } from './behave.ts';

const http = last('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: a letter, and a length that counts itself. */
const message = (letter: string, body: Buffer | string, length?: number): Buffer => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(length ?? bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};

const zero = Buffer.alloc(4);
const ready = message('Z', 'I');
const letIn = Buffer.concat([message('R', zero), ready]);

/** Lets in, and then says the same whatever is asked. */
const welcoming =
  (answer: Buffer): Behave =>
  (socket) => {
    socket.once('data', () => {
      socket.write(letIn);
      always(answer)(socket);
    });
  };

const postgresql = {
  silent: inTurn(hostile.postgresql.silent, hostile.postgresql['silent once it has let us in']),
  endless: inTurn(
    hostile.postgresql['parameters without end'],
    hostile.postgresql['notices without end'],
    hostile.postgresql['a row without end'],
  ),
  slow: (socket) => drip(socket, Buffer.concat([letIn, message('S', 'name\0value\0')])),
  lying: inTurn(
    http,
    always(message('R', Buffer.from([0, 0, 0, 99]))),
    always(message('R', zero, 0)),
    always(message('R', zero, -1)),
    always(message('S', 'name', 0x7fffffff)),
    always(message('E', 'no fields')),
    always(Buffer.from('N')),
    welcoming(Buffer.concat([message('C', 'SELECT 5\0'), ready])),
    welcoming(Buffer.concat([message('D', Buffer.from([0x7f, 0xff])), ready])),
    welcoming(Buffer.concat([message('T', Buffer.from([0xff, 0xff])), ready])),
    welcoming(message('G', Buffer.from([9, 9, 9]))),
  ),
} as const satisfies Record<string, Behave>;

/** https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_packets.html: three bytes of length, and a number. */
const packet = (number: number, body: Buffer | string): Buffer => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(4);
  head.writeUIntLE(bytes.length, 0, 3);
  head[3] = number;
  return Buffer.concat([head, bytes]);
};

const greets =
  (greeting: Buffer, answer: Buffer): Behave =>
  (socket) => {
    socket.write(greeting);
    always(answer)(socket);
  };

const greeting = packet(
  0,
  Buffer.concat([
    Buffer.from('\n8.0.0\0\x01\0\0\x0012345678\0'),
    Buffer.from([0xff, 0xf7, 45, 2, 0, 0xff, 0x81, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0mysql_native_password\0'),
  ]),
);
const okPacket = (number: number): Buffer => packet(number, Buffer.from([0, 0, 0, 2, 0, 0, 0]));

const mysql = {
  silent: inTurn(hostile.mysql.silent, (socket) => void socket.write(greeting)),
  endless: inTurn(hostile.mysql['a handshake without end'], hostile.mysql['an answer without end']),
  slow: (socket) => drip(socket, Buffer.concat([greeting, okPacket(2)])),
  lying: inTurn(
    http,
    greets(packet(0, '\x099.0\0'), okPacket(2)),
    greets(packet(0, Buffer.alloc(3, 0xff)), okPacket(2)),
    greets(packet(7, 'nothing'), okPacket(9)),
    greets(greeting, okPacket(2)),
    greets(greeting, packet(2, Buffer.from([0xfe, 0x61]))),
    greets(greeting, packet(2, Buffer.from([0xff, 0xff]))),
    greets(greeting, packet(2, '')),
  ),
} as const satisfies Record<string, Behave>;

/** https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/: length, number, to what, and `OP_MSG`. */
const reply = (document: Buffer, { length, to = 1 }: { length?: number; to?: number } = {}): Buffer => {
  const head = Buffer.alloc(21);
  head.writeInt32LE(length ?? 21 + document.length, 0);
  head.writeInt32LE(1, 4);
  head.writeInt32LE(to, 8);
  head.writeInt32LE(2013, 12);
  return Buffer.concat([head, document]);
};

/** `{ ok: 1 }` as BSON. */
const success = Buffer.from('\x0d\0\0\0\x10ok\0\x01\0\0\0\0', 'latin1');
const badBson = Buffer.from('\x0d\0\0\0\x77ok\0\x01\0\0\0\0', 'latin1');

const mongodb = {
  silent: hostile.mongodb.silent,
  endless: inTurn(
    hostile.mongodb['a first answer of 24 MB'],
    hostile.mongodb['a first answer of 2 GB'],
    (socket) => flood(socket, reply(success)),
  ),
  slow: (socket) => drip(socket, reply(success)),
  lying: inTurn(
    http,
    always(reply(success)),
    always(reply(badBson)),
    always(reply(success, { length: 5 })),
    always(reply(success, { length: -1 })),
    always(reply(success, { to: 99 })),
    always(reply(Buffer.from([0xff, 0xff, 0xff, 0x7f]))),
  ),
} as const satisfies Record<string, Behave>;

export const databases = { postgresql, mysql, mongodb } as const;
