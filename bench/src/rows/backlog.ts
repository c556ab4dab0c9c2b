// A million entries that wait: what they take of Redis, and what the services hold while they work them off.
import type { Bench, Setting } from '../bench.ts';
import { watchMemory } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { residents } from '../load/bodies.ts';

const load = { kind: 'events', people: residents, perRequest: 50 } as const;

/** Fills the queue without workers, and returns the bytes of Redis for each entry. */
const fill = async ({ system, load: send }: Setting, entries: number): Promise<number> => {
  const before = await system.redisBytes();
  await send({ connections: 16, requests: entries / 50, load });
  return ((await system.redisBytes()) - before) / entries;
};

export const backlog: Bench = {
  name: 'backlog',
  async measure(setting) {
    const { system, quick, seconds, say } = setting;
    const entries = quick ? 50_000 : 1_000_000;
    await system.stopWorkers();
    say(`queueing ${entries.toLocaleString('en')} entries`);
    const bytes = await fill(setting, entries);
    await system.startWorkers();
    const stop = watchMemory(system.servicePids());
    await setting.load({ connections: 64, seconds: seconds * 2, load });
    const most = stop();
    await system.quiet();

    const work = `memory at full load, ${entries.toLocaleString('en')} entries waiting:`;
    const memory = Object.entries(most).map(
      ([name, megabytes]): Figure => ({
        work: `${work} ${name}`,
        unit: 'MB',
        bar: { atMost: 200 },
        runs: [megabytes],
      }),
    );
    return [
      ...memory,
      {
        work: 'Redis memory a waiting entry, 50 a request',
        unit: 'bytes',
        bar: { atMost: 300 },
        runs: [bytes],
      },
    ];
  },
};
