// A fault and its control, and how often each is tried.
import type { Fault, Findings } from './fault.ts';
import { hasBroken, type Result } from './report.ts';

/** A machine that is busy with something else makes one trial slow; what is slow by itself makes all of them slow. */
const mostTrials = 3;

/** What a control breaks may depend on where a process happened to be when it was stopped. */
const mostControls = 3;

/** True when something was broken, and nothing but promises about time. */
const isOnlySlow = ({ timing }: Fault, { broken }: Findings): boolean =>
  timing !== undefined && broken.length > 0 && broken.every((sentence) => timing.test(sentence));

export interface Tries {
  /** Whether the control is played, too. */
  controlled: boolean;
  trial(run: Fault['run']): Promise<Findings>;
  say(line: string): void;
}

type Tried = Omit<Result, 'fault' | 'seconds'>;

/** A trial that was only slow is made again. Each that was is told. */
const tryFault = async (fault: Fault, { trial, say }: Tries): Promise<Pick<Result, 'findings' | 'slow'>> => {
  const slow: string[] = [];
  for (;;) {
    const findings = await trial(fault.run);
    if (!isOnlySlow(fault, findings) || slow.length === mostTrials - 1) return { findings, slow };
    slow.push(findings.broken.join('; '));
    say(`once more, because it was slow: ${slow.at(-1)}`);
  }
};

/**
 * What was broken, by the fault and by its control. Where the fault had to be tried again, its control has one trial only: luck must not
 * decide for both.
 */
export const tryBoth = async (fault: Fault, tries: Tries): Promise<Tried> => {
  const result: Tried = {};
  try {
    Object.assign(result, await tryFault(fault, tries));
    if (!tries.controlled) return { ...result, uncontrolled: true };
    const most = result.slow?.length ? 1 : mostControls;
    for (let n = 0; n < most && !hasBroken(fault.control, result.control); n++) {
      tries.say(`control${n > 0 ? ', once more' : ''}: ${fault.control.without}`);
      result.control = await tries.trial(fault.control.run);
    }
  } catch (error) {
    result.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  return result;
};
