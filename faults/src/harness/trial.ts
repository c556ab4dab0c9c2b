import type { Findings, Trial } from './fault.ts';
import { startSystem } from './system.ts';
import { within } from './wait.ts';

/** Runs one trial and takes down whatever it left running, whatever happened. */
export const runTrial = async (
  run: (trial: Trial) => Promise<Findings>,
  options: Pick<Trial, 'quick' | 'seed' | 'histories' | 'old' | 'say'> & { limitMs: number },
): Promise<Findings> => {
  const undo: (() => unknown)[] = [];
  const atEnd = (work: () => unknown) => void undo.push(work);
  const trial: Trial = {
    quick: options.quick,
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.histories !== undefined && { histories: options.histories }),
    ...(options.old !== undefined && { old: options.old }),
    say: options.say,
    atEnd,
    async system(wanted) {
      const system = await startSystem(wanted);
      atEnd(system.stop);
      return system;
    },
  };
  try {
    return await within(options.limitMs, 'the trial', run(trial));
  } finally {
    for (const work of undo.reverse()) {
      await Promise.resolve(work()).catch((error: Error) =>
        options.say(`could not clean up: ${error.message}`),
      );
    }
  }
};
