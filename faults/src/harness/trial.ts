import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Findings, Trial } from './fault.ts';
import { startSystem } from './system.ts';
import { within } from './wait.ts';

/** An answer that takes longer than this is none, even where no time is judged. */
const longestAnswerMs = 120_000;

export interface TrialOptions extends Pick<Trial, 'quick' | 'counting' | 'histories' | 'rows' | 'say'> {
  seed?: number;
  limitMs: number;
}

/** Runs one trial and takes down whatever it left running, whatever happened. */
export const runTrial = async (
  run: (trial: Trial) => Promise<Findings>,
  options: TrialOptions,
): Promise<Findings> => {
  let seed: number | undefined;
  const undo: (() => unknown)[] = [];
  const atEnd = (work: () => unknown) => void undo.push(work);
  const trial: Trial = {
    quick: options.quick,
    counting: options.counting,
    seedOr(usual) {
      seed = options.seed ?? usual;
      return seed;
    },
    ...(options.histories !== undefined && { histories: options.histories }),
    ...(options.rows && { rows: options.rows }),
    say: options.say,
    atEnd,
    folder() {
      const dir = mkdtempSync(join(tmpdir(), 'roster-trial-'));
      atEnd(() => rmSync(dir, { recursive: true, force: true }));
      return dir;
    },
    async opened(opening) {
      const open = await opening;
      atEnd(open.close);
      return open;
    },
    async system(wanted) {
      const patient = options.counting ? { leastPatienceMs: longestAnswerMs } : {};
      const system = await startSystem({ ...patient, ...wanted });
      atEnd(system.stop);
      return system;
    },
  };
  try {
    const findings = await within(options.limitMs, 'the trial', run(trial));
    return { ...findings, ...(seed !== undefined && { seed }) };
  } finally {
    for (const work of undo.reverse()) {
      await Promise.resolve(work()).catch((error: Error) =>
        options.say(`could not clean up: ${error.message}`),
      );
    }
  }
};
