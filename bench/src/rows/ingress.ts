// What the ingress costs against a plain Express application that does nothing with the same request.
import { openPlainExpress } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { costOf } from '../cost.ts';
import { cpuAgainst } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import { residents } from '../load/bodies.ts';

const connections = 64;

/** Both sides in turns, workers stopped, so that nothing but the side under test and the load runs. */
const compare = async (setting: Setting, perRequest: number, atMost: number): Promise<Figure> => {
  const { system, seconds, runs } = setting;
  const plain = await openPlainExpress(setting);
  const load = { kind: 'events', people: residents, perRequest } as const;
  const specOf = (run: number) => ({ connections, seconds: run < 0 ? 1 : seconds, load });
  const ingress = system.pid('ingress');
  const pairs = await inTurns(runs, {
    bare: (run) =>
      costOf({ plain: plain.pid }, async () => {
        const { answered } = await setting.loadAt(plain.url('/users/track'), specOf(run));
        return answered;
      }),
    async ours(run) {
      const cost = await costOf({ ingress }, async () => (await setting.load(specOf(run))).answered);
      await system.emptyQueue();
      return cost;
    },
  });
  const work = `ingress CPU, ${perRequest} event${perRequest === 1 ? '' : 's'} a request`;
  return cpuAgainst({ work, yardstick: 'plain Express', bar: { atMost }, pairs });
};

export const ingress: Bench = {
  name: 'ingress',
  async measure(setting) {
    await setting.system.stopWorkers();
    const one = await compare(setting, 1, 1.15);
    const fifty = await compare(setting, 50, 1.2);
    await setting.system.startWorkers();
    return [one, fifty];
  },
};
