import type { Group } from './group.ts';
import { createTurns, type Held, takeCount } from './turns.ts';

const held = (requests: number, stalls = 0): Held => ({
  stalls,
  group: { v: 1, entries: requests, bytes: requests * 10, requests: Array(requests).fill({}) } as Group,
});
const limits = { requests: 10, entries: 100, bytes: 10_000 };

describe('a turn', () => {
  it.each([
    ['takes all that fit', [held(3), held(3), held(4)], 3],
    ['stops before the one that does not fit', [held(6), held(5), held(1)], 1],
    ['takes at least one, however big', [held(50), held(1)], 1],
    ['takes a job that stalled before by itself', [held(1, 1), held(1)], 1],
    ['does not mix a stalled job in', [held(1), held(1, 1), held(1)], 1],
  ])('%s', (_title, jobs, count) => {
    expect(takeCount(jobs, limits)).toBe(count);
  });

  it('takes everything handed over since the last turn, one turn at a time', async () => {
    const turns: number[] = [];
    let running = 0;
    const submit = createTurns<Held>(limits, async (jobs) => {
      running += 1;
      expect(running).toBe(1);
      turns.push(jobs.length);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    });
    const first = submit(held(1));
    await new Promise((resolve) => setTimeout(resolve, 2));
    await Promise.all([first, submit(held(1)), submit(held(1))]);
    expect(turns).toEqual([1, 2]);
  });

  it('gives a job that stalled before the process to itself, also when turns overlap', async () => {
    const log: string[] = [];
    const submit = createTurns<Held & { name: string }>(
      limits,
      async ([job]) => {
        log.push(`+${job?.name}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
        log.push(`-${job?.name}`);
      },
      2,
    );
    const first = submit({ ...held(10), name: 'a' });
    await new Promise((resolve) => setTimeout(resolve, 2));
    const others = [
      submit({ ...held(10), name: 'b' }),
      submit({ ...held(1, 1), name: 'c' }),
      submit({ ...held(10), name: 'd' }),
    ];
    await Promise.all([first, ...others]);
    expect(log).toEqual(['+a', '+b', '-a', '-b', '+c', '-c', '+d', '-d']);
  });
});
