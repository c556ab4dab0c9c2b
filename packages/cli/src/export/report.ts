/** The result of an export, for programs and for people. */
import { exitCodes, type Result } from '../result.ts';
import { type ExportFinding, notesOf, textOf, timeOf } from './report-text.ts';
import { leftIn } from './tally.ts';

/** Some people could not be written; all others are there. The import has the same code for rows. */
const someLeft = 3;

const jsonOf = (finding: ExportFinding): unknown => {
  const { workspace, file = null, isWhole, moment, bytes, tally, seconds, isFresh } = finding;
  const { left, firstLeft, leftOut, ...counts } = tally;
  return {
    workspace,
    file,
    complete: isWhole,
    moment: timeOf(moment),
    ...(isFresh !== undefined && { fresh: isFresh }),
    ...counts,
    bytes,
    seconds: Math.round(seconds * 10) / 10,
    left_behind: left,
    first_left_behind: firstLeft,
    left_out: leftOut,
  };
};

const exitCodeOf = ({ isWhole, tally }: ExportFinding): number => {
  if (!isWhole) return exitCodes.failed;
  return leftIn(tally) > 0 ? someLeft : exitCodes.done;
};

/** Standard output gets the lines only. */
export const exportResult = (finding: ExportFinding): Result => {
  const [text, notes] = [textOf(finding), notesOf(finding)];
  const exitCode = exitCodeOf(finding);
  if (finding.file !== undefined) return { json: jsonOf(finding), text, notes, exitCode };
  return { json: undefined, text: '', notes: [text.trimEnd(), ...notes], exitCode };
};
