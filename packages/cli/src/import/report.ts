/** What an import comes to, for programs and for people. */
import { exitCodes, type Result } from '../result.ts';
import { staysBehind } from './exported-user.ts';
import { lackOf } from './lacks.ts';
import { clock, number } from './progress.ts';
import { ignoredIn, type Position, type Totals } from './totals.ts';

/** Some rows were refused or ignored; everything else is in. */
export const someRefused = 3;

export type Ending = 'complete' | 'interrupted' | 'was complete';

export interface Finding {
  file: string;
  ending: Ending;
  position: Position;
  totals: Totals;
  refusedFile: string;
  seconds: number;
  /** With `--wait`: whether everything has been applied; `unknown` when the key may not ask. */
  applied?: boolean | 'unknown';
  /** The command that goes on from here; standard input has none. */
  goOn?: string | undefined;
}

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

const refusalLines = ({ totals, refusedFile }: Finding): string[] => {
  if (totals.refused === 0) return [];
  const more = totals.refused - totals.firstRefusals.length;
  return [
    `Refused (${refusedFile} has all of them, each with its row):`,
    ...totals.firstRefusals.map(({ line, code, sentence }) => `  line ${line}  ${code}  ${sentence}`),
    ...(more > 0 ? [`  and ${number(more)} more`] : []),
  ];
};

const countLines = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).map(([name, count]) => `  ${name} (${number(count)})`);

const ignoredLines = ({ totals, refusedFile }: Finding): string[] => [
  ...(ignoredIn(totals) > 0
    ? [
        `Ignored when they were applied (${refusedFile} has all of them, each with its row):`,
        ...countLines(totals.ignored),
      ]
    : []),
  ...(Object.keys(totals.notes).length > 0
    ? ['Ignored inside entries that were applied:', ...countLines(totals.notes)]
    : []),
];

const reasonOf = (name: string): string => {
  if (Object.hasOwn(staysBehind, name)) return staysBehind[name] ?? '';
  const lack = lackOf(name);
  if (lack) return `${lack.reason}; ${lack.remedy}`;
  if (name.startsWith('custom_attributes.')) return 'has the name of a field';
  return 'cannot be sent by /users/track';
};

const leftOutLines = ({ totals: { leftOut } }: Finding): string[] => {
  const names = Object.entries(leftOut);
  if (names.length === 0) return [];
  return ['Left out:', ...names.map(([name, count]) => `  ${name} (${number(count)}): ${reasonOf(name)}`)];
};

const headline: Readonly<Record<Ending, (finding: Finding) => string>> = {
  complete: ({ file, seconds }) => `${file}: imported in ${clock(seconds)}`,
  interrupted: ({ file, position }) => `${file}: stopped; everything before line ${position.line} is done`,
  'was complete': ({ file }) =>
    `${file}: had been imported already, nothing was sent. --restart sends it again.`,
};

const ignoredWords = (totals: Totals): string =>
  ignoredIn(totals) > 0 ? `, ${number(ignoredIn(totals))} ignored` : '';

const textOf = (finding: Finding): string => {
  const { totals, ending } = finding;
  const lines = [
    headline[ending](finding),
    `  ${number(totals.rows)} rows, ${number(totals.sent)} entries in ${number(totals.requests)} requests`,
    `  ${number(totals.accepted)} accepted, ${number(totals.refused)} refused${ignoredWords(totals)}`,
    ...refusalLines(finding),
    ...ignoredLines(finding),
    ...leftOutLines(finding),
  ];
  return `${lines.join('\n')}\n`;
};

/** Only of what was waited for it is known that it did not fail. */
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
