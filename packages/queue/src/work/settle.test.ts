import type { AcceptedRequest } from '@roster/contract';
import type { Cause } from '../guard/evidence.ts';
import { backoffMs, createSettle, Released } from './settle.ts';

const request = (at: number) => ({ id: `r${at}`, ws: 'w', op: 'users.track', at }) as AcceptedRequest;
const requests = (count: number) => Array.from({ length: count }, (_, index) => request(index));

/** Applies all or nothing; `poison` says what goes wrong with which request. */
const setup = (
  poison: (request: AcceptedRequest, attempt: number) => Error | undefined,
  stop = { now: false },
  isWell = async () => true,
) => {
  const applied: string[] = [];
  const dead: [string, Cause][] = [];
  let attempts = 0;
  const settle = createSettle<string>({
    async apply(batch) {
      attempts += 1;
      for (const one of batch) {
        const error = poison(one, attempts);
        if (error) throw error;
      }
      applied.push(...batch.map(({ id }) => id));
      return batch.map(({ id }) => `done ${id}`);
    },
    classify: (error) => (error as { kind: 'passing' | 'permanent' }).kind ?? 'unknown',
    async dead(one, cause) {
      dead.push([one.id, cause]);
      return `dead ${one.id}`;
    },
    stopping: () => stop.now,
    isWell,
    pause: async () => {},
  });
  return { settle, applied, dead, attempts: () => attempts };
};

const failure = (kind: string) => Object.assign(new Error(`a ${kind} failure`), { kind, code: 14 });

describe('settling a batch', () => {
  it.each([
    ['can never be applied', 'permanent', 20],
    ['makes what is there, again and again,', 'duplicate', 40],
  ])('cuts a batch until the request that %s stands alone, and applies the rest', async (_, kind, tries) => {
    const { settle, applied, dead, attempts } = setup(({ at }) => (at === 37 ? failure(kind) : undefined));
    const done = await settle(requests(100));
    expect(done).toHaveLength(100);
    expect(done[37]).toBe('dead r37');
    expect(done[38]).toBe('done r38');
    expect(applied).toHaveLength(99);
    expect(dead).toEqual([['r37', { code: '14', reason: `a ${kind} failure` }]]);
    expect(attempts()).toBeLessThan(tries);
  });

  it.each([
    ['a duplicate, while another worker may have been faster', failure('duplicate'), 3, 3],
    ['a passing error until it passes', failure('passing'), 7, 3],
    ['an unknown error of a request that is alone', new Error('who knows'), 2, 1],
  ])('retries in place %s', async (_, error, failures, count) => {
    const { settle, applied, dead } = setup((_, attempt) => (attempt <= failures ? error : undefined));
    await settle(requests(count));
    expect(applied).toEqual(['r0', 'r1', 'r2'].slice(0, count));
    expect(dead).toEqual([]);
  });

  it.each([
    ['fails for an unknown reason', new Error('who knows')],
    ['takes too long', failure('too long')],
  ])('gives a request that %s and is alone three tries before it becomes a dead letter', async (_, error) => {
    const { settle, dead, attempts } = setup(() => error);
    await settle(requests(1));
    expect([attempts(), dead.length]).toEqual([3, 1]);
  });

  it('lets go of what it retries when the worker stops', async () => {
    const stop = { now: false };
    const { settle } = setup((_, attempt) => {
      stop.now = attempt > 2;
      return failure('passing');
    }, stop);
    await expect(settle(requests(2))).rejects.toBeInstanceOf(Released);
  });

  it('finds the request that takes too long by three tries, among others, among a few and alone', async () => {
    const { settle, applied, dead, attempts } = setup(({ at }) =>
      at === 70 ? failure('too long') : undefined,
    );
    const done = await settle(requests(100));
    expect(done.map((one) => one.split(' ')[0]).filter((word) => word === 'dead')).toHaveLength(1);
    expect(dead).toEqual([['r70', { code: '14', reason: 'a too long failure' }]]);
    expect(applied).toHaveLength(99);
    // One of all, four of 32 at most, of which one fails, and 32 of one.
    expect(attempts()).toBe(1 + 4 + 32);
  });

  it('blames no request for taking too long while the database is not well', async () => {
    const stop = { now: false };
    const slow = (_: AcceptedRequest, attempt: number) => (attempt < 30 ? failure('too long') : undefined);
    const { settle, applied, dead } = setup(slow, stop, async () => false);
    await settle(requests(3));
    expect([applied.length, dead]).toEqual([3, []]);
  });

  it('backs off longer each time, up to five seconds, never all at the same moment', () => {
    expect(backoffMs(0, () => 1)).toBe(50);
    expect(backoffMs(3, () => 1)).toBe(400);
    expect(backoffMs(100, () => 1)).toBe(5000);
    expect(backoffMs(100, () => 0)).toBe(2500);
  });
});
