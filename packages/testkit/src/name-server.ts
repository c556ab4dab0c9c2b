/** A name server on loopback, by UDP and TCP, written from RFC 1035 (4.1: messages, 4.2: transport) and RFC 3596 (AAAA). It answers as the test says, rightly or not. */
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

const types = { A: 1, CNAME: 5, AAAA: 28 } as const;

export interface NameQuestion {
  /** In small letters. */
  name: string;
  type: keyof typeof types | 'other';
  via: 'udp' | 'tcp';
  /** By TCP: for what is no answer. */
  socket?: Socket;
}

interface NameRecord {
  /** That of the question, unless told. */
  name?: string;
  type: keyof typeof types;
  ttl?: number;
  /** An IP, or a name. */
  data: string;
}

export interface NameReply {
  records?: readonly NameRecord[];
  /** 0: no error, 2: it cannot tell, 3: there is no such name, 5: refused. */
  code?: number;
  truncated?: boolean;
  /** Instead of those of the question. */
  id?: number;
  name?: string;
}

/** `undefined`: silence. */
type Answer = (
  question: NameQuestion,
) => NameReply | readonly NameReply[] | undefined | Promise<NameReply | undefined>;

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter((label) => label !== '')
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

const twoBytes = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt16BE(number, 2 * at);
  return bytes;
};

/** `::` stands for the groups that are missing. */
const ipv6Bytes = (ip: string): Buffer => {
  const [head = [], tail = []] = ip.split('::').map((part) => part.split(':').filter(Boolean));
  const missing = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return twoBytes(...[...head, ...missing, ...tail].map((group) => Number.parseInt(group, 16)));
};

const dataBytes = ({ type, data }: NameRecord): Buffer => {
  if (type === 'CNAME') return nameBytes(data);
  return type === 'AAAA' ? ipv6Bytes(data) : Buffer.from(data.split('.').map(Number));
};

const recordBytes = (record: NameRecord, asked: string): Buffer => {
  const [data, ttl] = [dataBytes(record), Buffer.alloc(4)];
  ttl.writeUInt32BE(record.ttl ?? 60);
  return Buffer.concat([
    nameBytes(record.name ?? asked),
    twoBytes(types[record.type], 1),
    ttl,
    twoBytes(data.length),
    data,
  ]);
};

const readQuestion = (message: Buffer) => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = message.readUInt16BE(at + 1);
  const type: NameQuestion['type'] =
    (['A', 'AAAA', 'CNAME'] as const).find((name) => types[name] === number) ?? 'other';
  return { id: message.readUInt16BE(0), name: labels.join('.').toLowerCase(), type, number };
};

const [isAnswer, isTruncated, wantedRecursion, mayRecurse] = [0x8000, 0x0200, 0x0100, 0x0080];

const replyBytes = (question: ReturnType<typeof readQuestion>, reply: NameReply): Buffer => {
  const { records = [], code = 0, truncated = false } = reply;
  const { id = question.id, name = question.name } = reply;
  const flags = isAnswer | wantedRecursion | mayRecurse | code | (truncated ? isTruncated : 0);
  return Buffer.concat([
    twoBytes(id, flags, 1, records.length, 0, 0),
    nameBytes(name),
    twoBytes(question.number, 1),
    ...records.map((record) => recordBytes(record, name)),
  ]);
};

/** The same port for both: the one that UDP gets may be another server's for TCP. */
const listenAtOnePort = async (tries = 20): Promise<{ udp: UdpSocket; tcp: Server; port: number }> => {
  const [udp, tcp] = [createSocket('udp4'), createServer()];
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const { port } = udp.address();
  try {
    tcp.listen(port, '127.0.0.1');
    await once(tcp, 'listening');
    return { udp, tcp, port };
  } catch (error) {
    udp.close();
    if (tries === 1) throw error;
    return listenAtOnePort(tries - 1);
  }
};

export const openNameServer = async (answer: Answer) => {
  const asked: NameQuestion[] = [];
  const state = { answer, asked };

  const repliesTo = async (
    message: Buffer,
    over: Pick<NameQuestion, 'via' | 'socket'>,
  ): Promise<Buffer[]> => {
    const question = readQuestion(message);
    const { name, type } = question;
    asked.push({ name, type, via: over.via });
    const replies = [(await state.answer({ name, type, ...over })) ?? []].flat();
    return replies.map((reply) => replyBytes(question, reply));
  };

  const { udp, tcp, port } = await listenAtOnePort();
  udp.on('message', async (message: Buffer, from: RemoteInfo) => {
    for (const reply of await repliesTo(message, { via: 'udp' })) udp.send(reply, from.port, from.address);
  });
  const connections = new Set<Socket>();
  // One question, in one piece, as resolvers send it.
  tcp.on('connection', (socket) => {
    connections.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', async (bytes: Buffer) => {
      for (const reply of await repliesTo(bytes.subarray(2), { via: 'tcp', socket }))
        socket.write(Buffer.concat([twoBytes(reply.length), reply]));
    });
  });
  return Object.assign(state, {
    servers: [`127.0.0.1:${port}`],
    close(): void {
      udp.close();
      tcp.close();
      for (const socket of connections) socket.destroy();
    },
  });
};

const silence: Answer = () => undefined;

/** For the tests of a file, each of which says how it answers. */
export const useNameServer = (answer = silence) => {
  const server = { answer, servers: [] as string[], asked: [] as NameQuestion[] };
  let close = (): void => {};
  beforeAll(async () => {
    const opened = await openNameServer((question) => server.answer(question));
    close = opened.close;
    server.servers = opened.servers;
    server.asked = opened.asked;
  });
  beforeEach(() => {
    server.answer = answer;
    server.asked.length = 0;
  });
  afterAll(() => close());
  return server;
};
