// What the ingress costs against a plain Express application that does nothing with the same request.
import type { Bench, Setting } from '../bench.ts';
import { startChild } from '../child.ts';
import { cpuSeconds } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { residents } from '../load/bodies.ts';
import { spread } from '../stats.ts';

const connections = 64;

const microsecondsEach = async (pid: number, work: () => Promise<{ answered: number }>): Promise<number> => {
  const before = cpuSeconds(pid);
  const { answered } = await work();
  return ((cpuSeconds(pid) - before) / answered) * 1e6;
};

/** Both sides in turns, workers stopped, so that nothing but the side under test and the load runs. */
const compare = async (setting: Setting, perRequest: number, atMost: number): Promise<Figure> => {
  const { system, seconds, runs } = setting;
  const plain = startChild<object, number>('./baselines/plain-express.js');
  const plainUrl = `http://127.0.0.1:${await plain.ask({})}/users/track`;
  const load = { kind: 'events', people: residents, perRequest } as const;
  const sides = { plain: [] as number[], ingress: [] as number[] };
  try {
    for (let run = -1; run < runs; run++) {
      const spec = { connections, seconds: run < 0 ? 1 : seconds, load };
      const theirs = await microsecondsEach(plain.pid, () => setting.loadAt(plainUrl, spec));
      const ours = await microsecondsEach(system.pid('ingress'), () => setting.load(spec));
      await system.emptyQueue();
      if (run < 0) continue; // warm-up
      sides.plain.push(theirs);
      sides.ingress.push(ours);
    }
  } finally {
    await plain.stop();
  }
  return {
    work: `ingress CPU, ${perRequest} event${perRequest === 1 ? '' : 's'} a request, against plain Express`,
    unit: 'times',
    bar: { atMost },
    runs: sides.ingress.map((ours, i) => ours / (sides.plain[i] ?? Number.NaN)),
    detail: { 'ingress us': spread(sides.ingress).median, 'plain Express us': spread(sides.plain).median },
  };
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
