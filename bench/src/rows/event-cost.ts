// What one event costs everywhere together: ingress, Redis, worker and mongod, until the last one is committed.
import { openBareInsert, openPlainExpress } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { cpuAgainst } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import { crowdOf, type People } from '../load/bodies.ts';
import { introduce } from '../load/introduce.ts';
import { freshEvents } from '../load/spec.ts';

interface Load {
  people: People;
  perRequest: number;
  connections: number;
  seconds: number;
}

const sent = ({ people, perRequest, connections, seconds }: Load) => ({
  connections,
  seconds,
  load: freshEvents(people, perRequest),
});

/** Load for a while, then wait until the last event is applied: whatever was used till then was used for these events. */
export const costOfEvents = ({ system, load }: Setting, spec: Load): Promise<Cost> =>
  costOf(system.pathPids(), async () => {
    const { answered } = await load(sent(spec));
    await system.quiet();
    return answered * spec.perRequest;
  });

const secondsOf = ({ seconds }: Setting, run: number): number => (run < 0 ? 1 : seconds);

const single = async (setting: Setting, people: People): Promise<Figure> => {
  const plain = await openPlainExpress(setting);
  const specOf = (run: number) => ({
    people,
    perRequest: 1,
    connections: 256,
    seconds: secondsOf(setting, run),
  });
  const pairs = await inTurns(setting.runs, {
    ours: (run) => costOfEvents(setting, specOf(run)),
    bare: (run) =>
      costOf({ express: plain.pid }, async () => {
        const { answered } = await setting.loadAt(plain.url('/users/track'), sent(specOf(run)));
        return answered;
      }),
  });
  const work = 'CPU an event, everything, 1 a request, 256 connections';
  return cpuAgainst({ work, yardstick: 'a plain Express answer', bar: { atMost: 1 }, pairs });
};

const fifty = async (setting: Setting, people: People): Promise<Figure> => {
  const bare = openBareInsert(setting);
  const documents = setting.quick ? 20_000 : 100_000;
  const pairs = await inTurns(setting.runs, {
    ours: (run) =>
      costOfEvents(setting, { people, perRequest: 50, connections: 64, seconds: secondsOf(setting, run) }),
    bare: () => bare({ documents, batch: 1_000 }),
  });
  const work = 'CPU an event, everything, 50 a request, 64 connections';
  return cpuAgainst({ work, yardstick: 'a bare insert', bar: { atMost: 3 }, pairs });
};

export const eventCost: Bench = {
  name: 'event-cost',
  async measure(setting) {
    const people = crowdOf(setting.quick);
    await introduce(setting, people);
    // Single events first: the many of the other line would be merged into larger generations at the cost of these.
    return [await single(setting, people), await fifty(setting, people)];
  },
};
