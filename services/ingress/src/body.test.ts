/** By node:http: bodies come in pieces, and are left unfinished. */
import { request } from 'node:http';
import { openServer, textOf, until } from '@roster/testkit';
import { asRejection } from './answer.ts';
import { createBodyReader, createDeadlines, timeLimitMs } from './body.ts';
import { createRooms, type Rooms } from './rooms.ts';

const mb = 1024 * 1024;
const limit = 6 * mb;

/** Answers with the number of bytes that were read, or with the code of the refusal. The path is the workspace. */
const serve = async (rooms: Rooms, limitMs: (bytes: number) => number) => {
  const deadlines = createDeadlines(20);
  const read = createBodyReader(rooms, deadlines, limitMs);
  const codes: string[] = [];
  const server = await openServer(async (incoming, response) => {
    try {
      const held = await read({ request: incoming, ws: incoming.url ?? '', limit });
      held.release();
      response.end(String(held.bytes.reduce((sum, byte) => sum + byte, 0)));
    } catch (error) {
      const { code } = asRejection(error);
      codes.push(error instanceof Error && error.name === 'Error' ? error.message : code);
      response.writeHead(500, { connection: 'close' }).end(code);
    }
  });
  return { server, codes, deadlines };
};

describe('a body', () => {
  let rooms: Rooms;
  let parts: Awaited<ReturnType<typeof serve>>;
  let limitMs = timeLimitMs;

  beforeEach(async () => {
    limitMs = timeLimitMs;
    rooms = createRooms(16 * mb);
    parts = await serve(rooms, (bytes) => limitMs(bytes));
  });
  afterEach(() => {
    parts.deadlines.close();
    return parts.server.close();
  });

  const open = (ws: string, length?: number) => {
    const headers = length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length };
    const sending = request(`${parts.server.url}/${ws}`, { method: 'POST', headers });
    const answer = new Promise<string>((resolve) => {
      sending.on('error', () => resolve('broken'));
      sending.on('response', async (response) => resolve(await textOf(response)));
    });
    return { sending, answer };
  };
  const send = (ws: string, bytes: Buffer, { isAnnounced = true } = {}) => {
    const { sending, answer } = open(ws, isAnnounced ? bytes.length : undefined);
    sending.end(bytes);
    return answer;
  };
  /** All but the last byte. */
  const holdBack = (ws: string, length: number) => {
    const one = open(ws, length);
    one.sending.write(Buffer.alloc(length - 1, 1));
    return one;
  };
  it.each([0, 1, 1000, 65_536, 65_537, 3 * mb])(
    'of %i bytes comes as it was sent, announced or not',
    async (size) => {
      const sum = String(size);
      const bytes = Buffer.alloc(size, 1);
      expect(await send('a', bytes)).toBe(sum);
      expect(await send('a', bytes, { isAnnounced: false })).toBe(sum);
      expect(rooms.used()).toEqual({ small: 0, large: 0, inHand: 0, waiting: 0, replies: 0 });
    },
  );

  it('of more than the limit is refused, also when its length was not announced', async () => {
    const answer = await send('a', Buffer.alloc(limit + 1, 1), { isAnnounced: false });
    expect(['BODY_TOO_LARGE', 'broken']).toContain(answer);
    expect(parts.codes).toEqual(['BODY_TOO_LARGE']);
    expect(rooms.used().large).toBe(0);
  });

  it('that holds back its last byte is given up, and its room is free again', async () => {
    limitMs = () => 1_000;
    const { answer } = holdBack('a', 2 * mb);
    await until(() => rooms.used().large === 2 * mb);
    expect(await answer).toBe('BODY_TOO_SLOW');
    expect(rooms.used().large).toBe(0);
  });

  it('gives its room back when its caller goes away', async () => {
    const { sending } = holdBack('a', 2 * mb);
    await until(() => rooms.used().large === 2 * mb);
    sending.destroy();
    await until(() => rooms.used().large === 0);
    expect(parts.codes).toEqual(['the caller went away']);
  });

  it('waits for room, and is refused when there is none in its share', async () => {
    holdBack('a', 5 * mb);
    await until(() => rooms.used().large === 5 * mb);
    expect(await send('a', Buffer.alloc(5 * mb, 1))).toBe('SHARE_IN_FLIGHT');
  });

  it('of one workspace does not keep out the bodies of another, large or small', async () => {
    for (let n = 0; n < 20; n++) holdBack('a', 3 * mb);
    await until(() => rooms.used().large === 6 * mb);
    expect(await send('b', Buffer.alloc(3 * mb, 1))).toBe(String(3 * mb));
    expect(await send('b', Buffer.alloc(1000, 1))).toBe('1000');
    expect(await send('a', Buffer.alloc(1000, 1))).toBe('1000');
    expect(rooms.used().large).toBeLessThanOrEqual(6 * mb);
  });

  it('has a time limit that grows with its size', () => {
    expect(timeLimitMs(0)).toBe(10_000);
    expect(timeLimitMs(6 * mb)).toBeGreaterThan(20_000);
    expect(timeLimitMs(6 * mb)).toBeLessThan(30_000);
  });
});
