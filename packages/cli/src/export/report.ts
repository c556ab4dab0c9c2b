/** The result of an export, for programs and for people. */
import { exitCodes, type Result } from '../result.ts';
import { clock, linesOf, type MaybeLine, number, section } from '../shown.ts';
import type { Exported } from './run-export.ts';
import { leftIn, type Reason, reasons, type Tally } from './tally.ts';

/** Some people could not be written; all others are there. The import has the same code for rows. */
const someLeft = 3;

export interface ExportFinding extends Exported {
  workspace: string;
  /** Missing: standard output. */
  file: string | undefined;
  tally: Tally;
  seconds: number;
  /** Whether every accepted request was applied when it began; not known without Redis. */
  isFresh: boolean | undefined;
  /** The command that continues. */
  goOn: string | undefined;
}

const timeOf = (moment: number): string => new Date(moment * 1000).toISOString();

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

const leftLines = ({ left, firstLeft, leftOut }: Tally, count: number): string[] => {
  const names = (Object.keys(reasons) as Reason[]).filter((name) => left[name] > 0);
  const shown = firstLeft.slice(0, 10).map(({ service_id, reason }) => `${service_id}  ${reason}`);
  const more = count - shown.length;
  return [
    ...section('Left behind, because no line could mean them (docs/round-trip.md):', [
      ...names.map((name) => `${number(left[name])}  ${reasons[name]}`),
      ...shown,
      more > 0 && `and ${number(more)} more`,
    ]),
    ...section(
      'Does not travel with people (docs/round-trip.md says why):',
      Object.entries(leftOut).map(([name, some]) => `${number(some)} ${name}`),
    ),
  ];
};

const textOf = (finding: ExportFinding): string => {
  const { workspace, isWhole, moment, bytes, seconds, tally } = finding;
  const { people, events, purchases } = tally;
  return linesOf([
    isWhole
      ? `${workspace}: exported in ${clock(seconds)}, all of ${timeOf(moment)}`
      : `${workspace}: stopped; what is written can be gone on with for as long as MongoDB keeps ${timeOf(moment)}`,
    `  ${number(people)} people, ${number(events)} events, ${number(purchases)} purchases, ${number(bytes)} bytes`,
    ...leftLines(tally, leftIn(tally)),
  ]);
};

const notesOf = ({ isWhole, isFresh, goOn }: ExportFinding): MaybeLine[] => [
  isFresh === false &&
    'Something that had been accepted before was not applied yet, and is not in it: the workers are behind.',
  isFresh === undefined && 'Redis does not answer, so it is unknown whether every accepted request is in it.',
  !isWhole && goOn && `To go on: ${goOn}`,
];

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
