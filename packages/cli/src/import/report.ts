/** The result of an import, for programs and for people. */
import { exitCodes, type Result } from '../result.ts';
import { clock, linesOf, type MaybeLine, number, section } from '../shown.ts';
import { doesStayBehind } from './exported-user.ts';
import type { Look } from './looks.ts';
import { ignoredIn, type Position, type Totals } from './totals.ts';

/** Some rows were refused or ignored; all others are in. */
export const someRefused = 3;

export type Ending = 'complete' | 'interrupted' | 'was complete' | 'dry run';

export interface Finding {
  file: string;
  ending: Ending;
  position: Position;
  totals: Totals;
  /** Nothing in a dry run. */
  refusedFile?: string;
  /** Of CSV: the rows as they stand in the file. */
  refusedRowsFile?: string | undefined;
  /** What was left out of whom. Nothing in a dry run. */
  leftOutFile?: string | undefined;
  looks?: readonly Look[];
  seconds: number;
  /** With `--wait`: whether every request has been applied; `unknown` when the key may not ask. */
  applied?: boolean | 'unknown';
  /** The command that continues from here; standard input has none. */
  goOn?: string | undefined;
}

/** What stays behind of everybody is not listed. */
const isListed = ({ leftOut }: Totals): boolean => Object.keys(leftOut).some((name) => !doesStayBehind(name));

const isAnythingLost = (totals: Totals): boolean => totals.refused > 0 || ignoredIn(totals) > 0;

export const jsonOf = (finding: Finding) => {
  const {
    file,
    ending,
    position,
    totals,
    refusedFile,
    refusedRowsFile,
    leftOutFile,
    looks = [],
    seconds,
    applied,
  } = finding;
  const { rows, requests, sent, accepted, refused, ignored, unknown, notes, kinds } = totals;
  return {
    file,
    complete: ending !== 'interrupted',
    position,
    rows,
    entries: { sent, accepted, refused, ignored: ignoredIn(totals) },
    entries_as: kinds,
    ignored,
    ignored_inside: notes,
    outcome_unknown: unknown,
    requests,
    seconds: Math.round(seconds * 10) / 10,
    ...(applied !== undefined && { applied }),
    left_out: totals.leftOut,
    left_out_reasons: totals.reasons,
    ...(isListed(totals) && { left_out_file: leftOutFile }),
    first_refusals: totals.firstRefusals,
    columns_to_check: looks,
    rows_to_check: { count: totals.doubtful, first: totals.firstDoubts },
    ...(isAnythingLost(totals) && {
      refused_file: refusedFile,
      refused_rows_file: refusedRowsFile,
    }),
  };
};

const countLines = (counts: Readonly<Record<string, number>>, more = (_name: string) => ''): string[] =>
  Object.entries(counts).map(([name, count]) => `${name} (${number(count)})${more(name)}`);

const placesOf = ({ refusedFile, refusedRowsFile }: Finding): string => {
  if (refusedFile === undefined) return '(the first ones):';
  const rows =
    refusedRowsFile === undefined ? '' : `, ${refusedRowsFile} the rows: correct and import that file`;
  return `(${refusedFile} has all of them, each with its row${rows}):`;
};

const lostLines = (finding: Finding): string[] => {
  const { totals, leftOutFile, looks = [] } = finding;
  const more = totals.refused - totals.firstRefusals.length;
  const moreDoubts = totals.doubtful - totals.firstDoubts.length;
  const all = placesOf(finding);
  return [
    ...section(`Refused ${all}`, [
      ...totals.firstRefusals.map(({ line, code, sentence }) => `line ${line}  ${code}  ${sentence}`),
      more > 0 && `and ${number(more)} more`,
    ]),
    ...section(`Ignored when they were applied ${all}`, countLines(totals.ignored)),
    ...section('Rows to check:', [
      ...totals.firstDoubts.map(({ line, sentence }) => `line ${line}  ${sentence}`),
      moreDoubts > 0 && `and ${number(moreDoubts)} more`,
    ]),
    ...section('Ignored inside entries that were applied:', countLines(totals.notes)),
    ...section(
      isListed(totals) && leftOutFile
        ? `Left out (${leftOutFile} says of whom, with the line):`
        : 'Left out:',
      countLines(totals.leftOut, (name) => (totals.reasons[name] ? `: ${totals.reasons[name]}` : '')),
    ),
    ...section(
      'Values to check:',
      looks.map(({ sentence }) => sentence),
    ),
  ];
};

const headline: Readonly<Record<Ending, (finding: Finding) => string>> = {
  complete: ({ file, seconds }) => `${file}: imported in ${clock(seconds)}`,
  interrupted: ({ file, position }) => `${file}: stopped; everything before line ${position.line} is done`,
  'dry run': ({ file }) => `${file}: judged; nothing was sent`,
  'was complete': ({ file }) =>
    `${file}: had been imported already, nothing was sent. --restart sends it again.`,
};

export const textOf = (finding: Finding): string => {
  const { totals, ending } = finding;
  const ignored = ignoredIn(totals);
  const kinds = countLines(totals.kinds);
  return linesOf([
    headline[ending](finding),
    `  ${number(totals.rows)} rows, ${number(totals.sent)} entries in ${number(totals.requests)} requests`,
    `  ${number(totals.accepted)} accepted, ${number(totals.refused)} refused${ignored > 0 ? `, ${number(ignored)} ignored` : ''}`,
    kinds.length > 0 && `  as ${kinds.join(', ')}`,
    ...lostLines(finding),
  ]);
};

/** Without waiting it is unknown whether an entry failed. */
const appliedNote = ({ unknown }: Totals): string =>
  unknown === 0
    ? 'Everything that was accepted has been applied.'
    : `Nothing waits to be applied any more. What became of ${number(unknown)} accepted entries is not known: they were sent without --wait.`;

const notesOf = ({ applied, goOn, ending, totals }: Finding): MaybeLine[] => [
  applied === true && appliedNote(totals),
  applied === false && 'Not everything has been applied yet: it is on disk and will be.',
  applied === 'unknown' &&
    'Whether it has been applied could not be asked: --wait needs the permission users.export.ids.',
  ending !== 'interrupted' && totals.rows === 0 && 'There is nothing in it: no row was found.',
  ending === 'interrupted' && goOn && `To go on: ${goOn}`,
];

export const exitCodeOf = ({ ending, totals, applied }: Finding): number => {
  if (ending === 'interrupted' || (applied !== undefined && applied !== true)) return exitCodes.failed;
  return isAnythingLost(totals) ? someRefused : exitCodes.done;
};

export const resultOf = (finding: Finding): Result => ({
  json: jsonOf(finding),
  text: textOf(finding),
  notes: notesOf(finding),
  exitCode: exitCodeOf(finding),
});
