import type { Control, Fault, Findings } from './fault.ts';

/** What became of one fault: its own findings, and those of its control. */
export interface Result {
  fault: Fault;
  /** Why it could not be tried here, and whether the command line permits that. */
  skipped?: { reason: string; permitted: boolean };
  findings?: Findings;
  control?: Findings;
  /** Nobody asked for the control. */
  uncontrolled?: boolean;
  /** What earlier trials of it broke, which were only slow. */
  slow?: string[];
  /** The harness itself failed. */
  error?: string;
  seconds: number;
}

/** INVALID: the control did not break the property of the fault. UNTRIED: skipped without permission. */
export type Verdict = 'held' | 'BROKEN' | 'INVALID' | 'ERROR' | 'UNTRIED' | 'skipped';

const breaksIn = ({ breaks }: Control, { broken }: Findings): string | undefined =>
  broken.find((sentence) => breaks.test(sentence));

/** Whether a control broke the promise that it is about. */
export const hasBroken = (control: Control, findings: Findings | undefined): boolean =>
  findings !== undefined && breaksIn(control, findings) !== undefined;

/** A fault has passed only when its control, in this very run, broke the promise that the fault is about. The gate plays no controls. */
export const verdictOf = ({ fault, skipped, findings, control, uncontrolled, error }: Result): Verdict => {
  if (skipped) return skipped.permitted ? 'skipped' : 'UNTRIED';
  if (error || !findings) return 'ERROR';
  if (findings.broken.length > 0) return 'BROKEN';
  if (uncontrolled) return 'held';
  return hasBroken(fault.control, control) ? 'held' : 'INVALID';
};

const figuresText = ({ figures }: Findings): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toFixed(1)) : value}`)
    .join(', ');

const shownBy = (control: Control, findings: Findings): string => {
  const [first] = findings.broken;
  if (first === undefined) return 'NOTHING WAS BROKEN: the test shows nothing';
  return (
    breaksIn(control, findings) ??
    `NO SENTENCE LIKE ${control.breaks}: the test shows nothing; only: ${first}`
  );
};

const controlLine = ({ fault, control, uncontrolled }: Result): string => {
  if (uncontrolled) return '  control: not in the gate';
  return control
    ? `  control (${fault.control.without}): ${shownBy(fault.control, control)} | ${figuresText(control)}`
    : '  control: did not run';
};

/** One fault as a line of the table. */
export const summary = (result: Result): string => {
  const { fault, findings, seconds, skipped, slow = [] } = result;
  const again = slow.length > 0 ? `tries ${slow.length + 1}, ` : '';
  const figures = findings ? `${again}${figuresText(findings)}` : (skipped?.reason ?? '');
  return `${verdictOf(result).padEnd(8)} ${fault.name.padEnd(15)} ${seconds.toFixed(0).padStart(4)} s  ${figures}`;
};

/** One fault as a paragraph: verdict, figures, what was broken, what the control showed. */
export const paragraph = (result: Result): string => {
  const { fault, findings, seconds, skipped, error, slow = [] } = result;
  const head = `${verdictOf(result).padEnd(8)} ${fault.name.padEnd(15)} ${fault.title} (${seconds.toFixed(0)} s)`;
  const lines = [head];
  if (skipped) lines.push(`  ${skipped.reason}`);
  lines.push(...slow.map((sentences) => `  slow, so it was tried again: ${sentences}`));
  if (error) lines.push(`  ${error}`);
  if (findings)
    lines.push(
      `  ${figuresText(findings)}`,
      ...findings.broken.map((broken) => `  BROKEN: ${broken}`),
      controlLine(result),
    );
  return lines.join('\n');
};

/** For programs. */
export interface Part {
  name: string;
  verdict: Verdict;
  seconds: number;
  seed?: number;
  broken: string[];
}

const reasonsOf = ({ findings, skipped, error }: Result): string[] => [
  ...(findings?.broken ?? []),
  ...(skipped ? [skipped.reason] : []),
  ...(error ? [error.split('\n')[0] ?? ''] : []),
];

export const partOf = (result: Result): Part => {
  const { fault, findings, seconds } = result;
  return {
    name: fault.name,
    verdict: verdictOf(result),
    seconds: Math.round(seconds),
    ...(findings?.seed !== undefined && { seed: findings.seed }),
    broken: reasonsOf(result),
  };
};

export const totalsOf = (results: Result[]) => {
  const verdicts = results.map(verdictOf);
  const passed = verdicts.filter((verdict) => verdict === 'held').length;
  return { passed, failed: verdicts.filter((verdict) => verdict !== 'held' && verdict !== 'skipped').length };
};
