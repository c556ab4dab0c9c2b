import { useRedis } from '@roster/testkit';
import { idempotencyKey, keptKey } from '../names.ts';
import { requestId } from '../request-id.ts';
import { createIdempotency, idempotencyDigest, packRemembered, unpackRemembered } from './idempotency.ts';

const first = { fingerprint: 'x'.repeat(22), at: 1_795_000_000_000_000 };

const refusals = Array.from({ length: 49 }, (_, index) => ({
  type: "'external_id', 'service_id', 'user_alias', 'email' or 'phone' is required",
  code: 'IDENTIFIER_REQUIRED',
  input_array: 'attributes',
  index,
}));
const longAnswer = {
  status: 201,
  body: JSON.stringify({ attributes_processed: 1, message: 'success', errors: refusals }),
};

describe('what is remembered of a key', () => {
  it.each([
    ['a claim', first],
    ['a short answer', { ...first, answer: { status: 201, body: '{"message":"success"}' } }],
    ['an answer with a line break', { ...first, answer: { status: 202, body: '{"a":1,\n"b":2}' } }],
    ['a long answer', { ...first, answer: longAnswer }],
    ['an empty answer', { ...first, answer: { status: 204, body: '' } }],
  ])('comes back byte for byte: %s', (_title, remembered) => {
    expect(unpackRemembered(packRemembered(remembered))).toEqual(remembered);
  });

  it('has an id, of which an earlier version reads the stamp', () => {
    const [at, id] = [first.at, requestId('a secret', 'w', first.at)];
    const packed = packRemembered({ ...first, id });
    expect(unpackRemembered(packed)).toEqual({ ...first, id });
    expect(Number.parseInt(packed.toString().split(' ')[1] ?? '', 36)).toBe(at);
  });

  it('is small, also of 49 refused entries', () => {
    expect(packRemembered({ ...first, answer: longAnswer }).length).toBeLessThan(500);
    // The control: as plain JSON.
    expect(JSON.stringify({ ...first, id: 'r', answer: longAnswer }).length).toBeGreaterThan(7000);
  });
});

describe('the share of a workspace', () => {
  const { redis } = useRedis();
  const hour = 3_600_000;
  const begin = Math.floor(1_800_000_000_000 / hour) * hour;
  let time = begin;

  beforeEach(async () => {
    await redis.flushdb();
    time = begin;
  });

  const opened = (most: number) => createIdempotency({ redis, hours: 1, most: () => most, now: () => time });
  const claims = async (idempotency: ReturnType<typeof opened>, ws: string, count: number, run = '') => {
    const kept: string[] = [];
    const claim = async (n: number) => {
      const digest = idempotencyDigest(ws, 'op', `${run}${n}`);
      if ((await idempotency.claim({ ws, digest }, first)) !== 'full') kept.push(digest);
    };
    await Promise.all(Array.from({ length: count }, (_, n) => claim(n)));
    return kept;
  };

  it('is full after so many bytes, for this workspace only, and never for a key that is known', async () => {
    const idempotency = opened(10_000);
    const kept = await claims(idempotency, 'loud', 100);
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.length).toBeLessThan(50);
    expect(await claims(idempotency, 'quiet', 1)).toHaveLength(1);
    const again = await idempotency.claim({ ws: 'loud', digest: kept[0] ?? '' }, { ...first, at: 5 });
    expect(again).toEqual(first);
    // The control: without a share all of them are kept.
    expect(await claims(opened(Number.MAX_SAFE_INTEGER), 'other', 100)).toHaveLength(100);
  });

  it('counts the answers, too', async () => {
    const idempotency = opened(2500);
    const [digest = ''] = await claims(idempotency, 'loud', 1);
    const random = Array.from({ length: 2500 }, () => Math.random().toString(36).slice(2, 4)).join('');
    await idempotency.answer({ ws: 'loud', digest }, first, { status: 201, body: random });
    expect(await claims(idempotency, 'loud', 1, 'next')).toHaveLength(0);
  });

  it('has room again as older keys are forgotten', async () => {
    const idempotency = opened(10_000);
    const kept = await claims(idempotency, 'loud', 100);
    time += 1.5 * hour;
    const later = await claims(idempotency, 'loud', 100, 'later');
    expect(later.length).toBeGreaterThan(kept.length / 2 - 5);
    expect(later.length).toBeLessThan(kept.length);
  });

  it('is counted in about the bytes that Redis really needs', async () => {
    const [digest = ''] = await claims(opened(Number.MAX_SAFE_INTEGER), 'loud', 1);
    // What the table of times needs for a key is not among what Redis says.
    const needed = Number(await redis.memory('USAGE', idempotencyKey(digest))) + 48;
    const counted = Number(await redis.get(keptKey('loud', time / hour)));
    expect(counted / needed).toBeGreaterThan(1);
    expect(counted / needed).toBeLessThan(2);
    expect(await redis.ttl(idempotencyKey(digest))).toBeGreaterThan(3000);
  });
});
