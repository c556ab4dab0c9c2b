import { until, useRedis } from '@roster/testkit';
import { replyKey } from '../names.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import type { Reply } from './pieces.ts';
import { createPieces } from './pieces.ts';
import { sendReplies } from './reply.ts';

const textOf = (reply: Reply | undefined): string =>
  (reply?.body ?? '') + Buffer.concat(reply?.rest ?? []).toString();

const piece = (nth: number, of: number, text: string, sending = 's') => ({
  place: { sending, nth, of },
  bytes: Buffer.from(text),
});

describe('the pieces of a reply', () => {
  const head = { status: 201 };

  it.each([[[0, 1, 2]], [[2, 0, 1]], [[0, 0, 1, 1, 2]]])('make it whole, in the order %j', (order) => {
    const pieces = createPieces();
    const replies = order.map((nth) => pieces.add('r', head, piece(nth, 3, String(nth))));
    expect(replies.slice(0, -1)).toEqual(order.slice(1).map(() => undefined));
    expect(textOf(replies.at(-1))).toBe('012');
  });

  it('of two tries are never mixed', () => {
    const pieces = createPieces();
    pieces.add('r', head, piece(0, 2, 'a', 'first'));
    expect(pieces.add('r', head, piece(1, 2, 'B', 'second'))).toBeUndefined();
    expect(textOf(pieces.add('r', head, piece(0, 2, 'A', 'second')))).toBe('AB');
  });

  it('are forgotten with their request', () => {
    const pieces = createPieces();
    pieces.add('r', head, piece(0, 2, 'a'));
    pieces.forget('r');
    expect(pieces.add('r', head, piece(1, 2, 'b'))).toBeUndefined();
  });
});

/** So many bytes; tells how many are taken. */
const room = (bytes: number) => {
  const one = {
    taken: 0,
    take(amount: number) {
      if (one.taken + amount > bytes) throw new Error('no room');
      one.taken += amount;
      return () => {
        one.taken -= amount;
      };
    },
  };
  return one;
};

describe('the room of a reply', () => {
  const head = { status: 201 };

  it('is taken piece by piece, once for a piece that comes twice, and freed as a whole', () => {
    const pieces = createPieces();
    const some = room(3);
    pieces.add('r', head, piece(0, 2, 'ab'), some.take);
    pieces.add('r', head, piece(0, 2, 'ab'), some.take);
    expect(some.taken).toBe(2);
    const whole = pieces.add('r', head, piece(1, 2, 'c'), some.take);
    expect(some.taken).toBe(3);
    whole?.release?.();
    whole?.release?.();
    expect(some.taken).toBe(0);
  });

  it('is freed when no caller waits any more', () => {
    const [pieces, some] = [createPieces(), room(3)];
    pieces.add('r', head, piece(0, 2, 'ab'), some.take);
    pieces.forget('r');
    expect(some.taken).toBe(0);
  });
});

describe('a reply on its way through a real Redis', () => {
  let mailbox: Mailbox;
  const { url, redis } = useRedis(() => mailbox.close());
  beforeAll(() => {
    mailbox = openMailbox(url);
  });

  const send = (id: string, reply: Reply, to = mailbox.name) =>
    sendReplies(redis, [{ mailbox: to, id, reply }]);

  it('for which there is no room is refused, and what had come of it is freed', async () => {
    const some = room(600_000);
    const expected = mailbox.expect('large', 5000, some.take);
    const refused = expect(expected.reply).rejects.toThrow('no room');
    await send('large', { status: 201, body: '', rest: [1, 2, 3].map(() => Buffer.alloc(256 * 1024)) });
    await refused;
    expect(some.taken).toBe(0);
  });

  it('arrives as it was sent', async () => {
    const reply = { status: 201, body: '{"a":"ü\\n"}\n', headers: { 'X-Roster-Fresh': 'true' } };
    const expected = mailbox.expect('short', 5000);
    await send('short', reply);
    expect(await expected.reply).toEqual(reply);
  });

  it('arrives in pieces when it is long, beside others', async () => {
    const rest = Array.from({ length: 40 }, (_, n) => Buffer.alloc(100_000, `${n % 10}\n`));
    const waiting = ['long', 'short'].map((id) => mailbox.expect(id, 60_000).reply);
    await Promise.all([
      send('long', { status: 201, body: '[', rest, headers: { a: 'b' } }),
      send('short', { status: 200, body: 'x' }),
    ]);
    const [long, short] = await Promise.all(waiting);
    expect(short).toEqual({ status: 200, body: 'x' });
    expect(long).toMatchObject({ status: 201, headers: { a: 'b' } });
    expect(textOf(long)).toBe(`[${Buffer.concat(rest).toString()}`);
    expect(await redis.llen(replyKey(mailbox.name))).toBe(0);
  });

  it('does not fill Redis when the ingress does not read it', async () => {
    const rest = Array.from({ length: 60 }, () => Buffer.alloc(1000, 'x'));
    const sending = send('lost', { status: 201, body: '', rest }, 'unread');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await redis.llen(replyKey('unread'))).toBeLessThan(20);
    expect(await redis.ttl(replyKey('unread'))).toBeGreaterThan(0);
    await redis.del(replyKey('unread'));
    // As soon as it is taken, the rest follows.
    let done = false;
    void sending.then(() => {
      done = true;
    });
    await until(async () => {
      await redis.del(replyKey('unread'));
      return done;
    });
  });
});
