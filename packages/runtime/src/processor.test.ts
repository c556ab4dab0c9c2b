/** The rule by a table, the road by a reading that is fed; one real process beside others that never rest. */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createMetrics } from './metrics.ts';
import { isStarved, waitedMs, watchProcessor } from './processor.ts';

it.each([
  [0, false, false],
  [0.49, false, false],
  [0.5, false, true],
  [1, false, true],
  [0.49, true, true],
  [0.25, true, true],
  [0.24, true, false],
])('a process that has waited for %d of a minute, starved before: %s, is starved: %s', (share, was, is) => {
  expect(isStarved(share, was)).toBe(is);
});

const fed = () => {
  const state: { at: number; waited: number | undefined } = { at: 0, waited: 1_000 };
  const said: unknown[] = [];
  const heard: (number | undefined)[] = [];
  const metrics = createMetrics({ service: 'sender' });
  const tell =
    (level: string) =>
    (fields: object, message: string): void =>
      void said.push([level, fields, message]);
  const log = { warn: tell('warn'), info: tell('info') } as never;
  const { waited } = state;
  const watched = watchProcessor({
    service: 'sender',
    log,
    metrics,
    readMs: () => state.waited,
    now: () => state.at,
  });
  watched.close();
  watched.processor.hear((share) => heard.push(share));
  const go = (seconds: number, share: number): void => {
    for (let n = 0; n < seconds; n += 5) {
      state.at += 5_000;
      state.waited = (state.waited ?? 0) + 5_000 * share;
      watched.look();
    }
  };
  return { state, said, heard, metrics, go, waited };
};

describe('a process that gets no processor', () => {
  it('says so once, tells its hearers all the time, and says once that it is over', () => {
    const { said, heard, go } = fed();
    go(120, 0);
    expect([said, heard]).toEqual([[], []]);
    go(120, 0.8);
    expect(said).toEqual([
      ['warn', { waited_share: expect.any(Number) }, 'the process gets too little of the processors'],
    ]);
    expect(heard.at(-1)).toBeCloseTo(0.8);
    go(120, 0);
    expect(said.slice(1)).toEqual([
      ['info', { waited_share: expect.any(Number) }, 'the process gets enough of the processors again'],
    ]);
    expect(heard.at(-1)).toBeUndefined();
    const before = heard.length;
    go(120, 0);
    expect(heard).toHaveLength(before);
  });

  it('is not judged by its first seconds', () => {
    const { said, go } = fed();
    go(25, 1);
    expect(said).toEqual([]);
    go(5, 1);
    expect(said).toHaveLength(1);
  });

  it('is two numbers', async () => {
    const { metrics, go } = fed();
    go(60, 0.5);
    const text = await metrics.text();
    expect(text).toContain('roster_processor_wait_seconds_total{service="sender"} 31\n');
    expect(text).toContain('roster_processor_wait_share{service="sender"} 0.5\n');
  });

  it('has no numbers where the system tells nothing', async () => {
    expect(waitedMs('/nowhere')).toBeUndefined();
    const metrics = createMetrics({ service: 'x' });
    watchProcessor({ service: 'x', log: {} as never, metrics, readMs: () => undefined }).look();
    expect(await metrics.text()).not.toContain('roster_processor_wait');
  });
});

const isTold = waitedMs() !== undefined;

(isTold ? it : it.skip)('waits longer and longer beside processes that never rest', async () => {
  const busy: ChildProcess[] = [];
  try {
    for (let n = 0; n < 2 * availableParallelism() + 1; n++)
      busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    const pid = busy[0]?.pid;
    const wait = (): number => waitedMs(`/proc/${pid}/schedstat`) ?? 0;
    let last = wait();
    for (let times = 0; times < 3; times++) {
      const before = last;
      while (last <= before) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        last = wait();
      }
    }
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
});
