import { createSignal } from '@roster/testkit';
import type { Group } from '../group.ts';
import { alternating, createTurns, type Leased, takeCount } from './turns.ts';

const leased = (requests: number, stalls = 0): Leased => ({
  stalls,
  group: { v: 1, entries: requests, bytes: requests * 10, requests: Array(requests).fill({}) } as Group,
});
const of = (ws: string, entries = 4): Leased => ({
  stalls: 0,
  heavy: true,
  group: { v: 1, entries, bytes: 10, requests: [[`r-${ws}`, ws, 'users.track', null]] },
});
const wsOf = ({ group }: Leased): string => group.requests[0]?.[1] ?? '';
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** A turn that ends when it is told to. */
const aTurn = () => ({ began: createSignal(), mayEnd: createSignal() });
const limits = { requests: 10, entries: 100, bytes: 10_000 };

describe('a turn', () => {
  it.each([
    ['takes all that fit', [leased(3), leased(3), leased(4)], 3],
    ['stops before the one that does not fit', [leased(6), leased(5), leased(1)], 1],
    ['takes at least one, however big', [leased(50), leased(1)], 1],
    ['takes a job that stalled before by itself', [leased(1, 1), leased(1)], 1],
    ['does not mix a stalled job in', [leased(1), leased(1, 1), leased(1)], 1],
  ])('%s', (_title, jobs, count) => {
    expect(takeCount(jobs, limits)).toBe(count);
  });

  it('takes everything handed over since the last turn, one turn at a time', async () => {
    const turns: number[] = [];
    let running = 0;
    const { began, mayEnd } = aTurn();
    const submit = createTurns<Leased>(limits, async (jobs) => {
      running += 1;
      expect(running).toBe(1);
      turns.push(jobs.length);
      began.give();
      await mayEnd.given;
      running -= 1;
    });
    const first = submit(leased(1));
    await began.given;
    const others = [submit(leased(1)), submit(leased(1))];
    mayEnd.give();
    await Promise.all([first, ...others]);
    expect(turns).toEqual([1, 2]);
  });

  it('gives a job that stalled before the process to itself, also when turns overlap', async () => {
    const log: string[] = [];
    const turns = { a: aTurn(), b: aTurn(), c: aTurn(), d: aTurn() };
    const submit = createTurns<Leased & { name: keyof typeof turns }>(
      limits,
      async ([job]) => {
        const { began, mayEnd } = turns[job?.name ?? 'a'];
        log.push(`+${job?.name}`);
        began.give();
        await mayEnd.given;
        log.push(`-${job?.name}`);
      },
      2,
    );
    const jobs = [submit({ ...leased(10), name: 'a' })];
    await turns.a.began.given;
    jobs.push(submit({ ...leased(10), name: 'b' }));
    jobs.push(submit({ ...leased(1, 1), name: 'c' }), submit({ ...leased(10), name: 'd' }));
    await turns.b.began.given;
    for (const name of ['a', 'b', 'c', 'd'] as const) {
      await turns[name].began.given;
      // What may begin beside it has begun by then.
      await sleep(5);
      turns[name].mayEnd.give();
    }
    await Promise.all(jobs);
    expect(log).toEqual(['+a', '+b', '-a', '-b', '+c', '-c', '+d', '-d']);
  });

  it('takes jobs of each workspace in turn', () => {
    expect(alternating(['a', 'a', 'a', 'b', 'a', 'b', 'c'].map((ws) => of(ws))).map(wsOf)).toEqual([
      ...['a', 'b', 'c'],
      ...['a', 'b'],
      ...['a', 'a'],
    ]);
  });

  it('is not filled by one workspace while another has work in hand', async () => {
    const turns: string[] = [];
    const submit = createTurns<Leased>(limits, async (jobs) => void turns.push(jobs.map(wsOf).join('')));
    const hands = ['a', 'a', 'a', 'a', 'b'].map((ws) => of(ws, 40));
    await Promise.all(hands.map(submit));
    expect(turns).toEqual(['ab', 'aa', 'a']);
  });

  describe('of a heavy workspace', () => {
    /** Turns that last ten milliseconds; what ran, and how much of each kind at most at the same time. */
    const run = async (hands: Leased[], atOnce: number) => {
      const log: string[] = [];
      const running = { heavy: 0, normal: 0 };
      const most = { heavy: 0, normal: 0 };
      const submit = createTurns<Leased>(
        { ...limits, requests: 1 },
        async ([job]) => {
          const kind = job?.heavy ? 'heavy' : 'normal';
          log.push(kind);
          running[kind] += 1;
          most[kind] = Math.max(most[kind], running[kind]);
          await sleep(10);
          running[kind] -= 1;
        },
        atOnce,
      );
      await Promise.all(hands.map(submit));
      return { log, most };
    };
    const heavy = (count: number) => Array.from({ length: count }, () => of('a'));
    const normal = (count: number) => Array.from({ length: count }, () => leased(1));

    it('keeps no other workspace waiting', async () => {
      const { log } = await run([...heavy(6), ...normal(1)], 2);
      expect(log.indexOf('normal')).toBe(0);
    });

    it('takes all turns while no other workspace has jobs', async () => {
      expect((await run(heavy(6), 2)).most).toEqual({ heavy: 2, normal: 0 });
    });

    it('goes on beside as many others as there may be', async () => {
      const { log, most } = await run([...normal(8), ...heavy(3)], 2);
      expect(most).toEqual({ heavy: 1, normal: 2 });
      expect(log.slice(0, 3)).toEqual(['normal', 'normal', 'heavy']);
    });

    it('has the process to itself after a stall, too', async () => {
      const { most } = await run([...normal(2), { ...of('a'), stalls: 1 }, ...normal(2)], 2);
      expect(most.heavy).toBe(1);
    });
  });
});
