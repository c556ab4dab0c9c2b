import type { Fault, Findings } from './fault.ts';

/** What became of one fault: its own findings, and those of its control. */
export interface Result {
  fault: Fault;
  skipped?: string;
  findings?: Findings;
  control?: Findings;
  /** The harness itself failed. */
  error?: string;
  seconds: number;
}

export type Verdict = 'held' | 'BROKEN' | 'INVALID' | 'ERROR' | 'skipped';

export const verdictOf = ({ fault, skipped, findings, control, error }: Result): Verdict => {
  if (skipped) return 'skipped';
  if (error || !findings) return 'ERROR';
  if (findings.broken.length > 0) return 'BROKEN';
  return fault.control && control?.broken.length === 0 ? 'INVALID' : 'held';
};

const figuresText = ({ figures }: Findings): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toFixed(1)) : value}`)
    .join(', ');

const controlLine = ({ fault, control }: Result): string => {
  if (!fault.control) return '  control: none';
  if (!control) return '';
  const seen = control.broken[0] ?? 'NOTHING WAS BROKEN: the test shows nothing';
  return `  control (${fault.control.without}): ${seen} | ${figuresText(control)}`;
};

/** One fault as a line of the table. */
export const summary = (result: Result): string => {
  const { fault, findings, seconds, skipped = '' } = result;
  const figures = findings ? figuresText(findings) : skipped;
  return `${verdictOf(result).padEnd(8)} ${fault.name.padEnd(13)} ${seconds.toFixed(0).padStart(4)} s  ${figures}`;
};

/** One fault as a paragraph: verdict, figures, what was broken, what the control showed. */
export const paragraph = (result: Result): string => {
  const { fault, findings, seconds, skipped, error } = result;
  const head = `${verdictOf(result).padEnd(8)} ${fault.name.padEnd(14)} ${fault.title} (${seconds.toFixed(0)} s)`;
  const lines = [head];
  if (skipped) lines.push(`  ${skipped}`);
  if (error) lines.push(`  ${error}`);
  if (findings)
    lines.push(`  ${figuresText(findings)}`, ...findings.broken.map((broken) => `  BROKEN: ${broken}`));
  if (findings) lines.push(controlLine(result));
  return lines.filter((line) => line !== '').join('\n');
};

export interface Totals {
  passed: number;
  failed: number;
}

export const totalsOf = (results: Result[]): Totals => {
  const verdicts = results.map(verdictOf);
  const passed = verdicts.filter((verdict) => verdict === 'held').length;
  return { passed, failed: verdicts.filter((verdict) => verdict !== 'held' && verdict !== 'skipped').length };
};
