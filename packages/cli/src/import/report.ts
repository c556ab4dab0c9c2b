/** The result of an import, for programs and for people. */
import { exitCodes, type Result } from '../result.ts';
import { number } from '../shown.ts';
import type { Finding } from './finding.ts';
import { textOf } from './report-text.ts';
import { ignoredIn, type Totals } from './totals.ts';

/** Some rows were refused or ignored; all others are in. */
export const someRefused = 3;

const isAnythingLost = (totals: Totals): boolean => totals.refused > 0 || ignoredIn(totals) > 0;

const jsonOf = (finding: Finding): unknown => {
  const { file, ending, position, totals, refusedFile, seconds, applied } = finding;
  return {
    file,
    complete: ending !== 'interrupted',
    position,
    rows: totals.rows,
    entries: {
      sent: totals.sent,
      accepted: totals.accepted,
      refused: totals.refused,
      ignored: ignoredIn(totals),
    },
    ignored: totals.ignored,
    ignored_inside: totals.notes,
    outcome_unknown: totals.unknown,
    requests: totals.requests,
    seconds: Math.round(seconds * 10) / 10,
    ...(applied !== undefined && { applied }),
    left_out: totals.leftOut,
    first_refusals: totals.firstRefusals,
    ...(isAnythingLost(totals) && { refused_file: refusedFile }),
  };
};

/** Without waiting it is unknown whether an entry failed. */
const appliedNote = ({ unknown }: Totals): string =>
  unknown === 0
    ? 'Everything that was accepted has been applied.'
    : `Nothing waits to be applied any more. What became of ${number(unknown)} accepted entries is not known: they were sent without --wait, or the key lacks the permission requests.read.`;

const notesOf = ({ applied, goOn, ending, totals }: Finding): string[] => [
  ...(applied === true ? [appliedNote(totals)] : []),
  ...(applied === false ? ['Not everything has been applied yet: it is on disk and will be.'] : []),
  ...(applied === 'unknown'
    ? ['Whether it has been applied could not be asked: --wait needs the permission users.export.ids.']
    : []),
  ...(ending === 'interrupted' && goOn ? [`To go on: ${goOn}`] : []),
];

const exitCodeOf = ({ ending, totals, applied }: Finding): number => {
  if (ending === 'interrupted' || (applied !== undefined && applied !== true)) return exitCodes.failed;
  return isAnythingLost(totals) ? someRefused : exitCodes.done;
};

export const resultOf = (finding: Finding): Result => ({
  json: jsonOf(finding),
  text: textOf(finding),
  notes: notesOf(finding),
  exitCode: exitCodeOf(finding),
});
