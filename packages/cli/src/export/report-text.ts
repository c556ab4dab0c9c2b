/** The report of an export in words. */
import { clock, number, section } from '../shown.ts';
import type { Exported } from './run-export.ts';
import { leftIn, type Reason, reasons, type Tally } from './tally.ts';

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

export const timeOf = (moment: number): string => new Date(moment * 1000).toISOString();

const leftLines = ({ left, firstLeft, leftOut }: Tally, count: number): string[] => {
  const names = (Object.keys(reasons) as Reason[]).filter((name) => left[name] > 0);
  const shown = firstLeft.slice(0, 10).map(({ service_id, reason }) => `${service_id}  ${reason}`);
  const more = count - shown.length;
  return [
    ...section('Left behind, because no line could mean them (docs/round-trip.md):', [
      ...names.map((name) => `${number(left[name])}  ${reasons[name]}`),
      ...shown,
      ...(more > 0 ? [`and ${number(more)} more`] : []),
    ]),
    ...section(
      'Does not travel with people (docs/round-trip.md says why):',
      Object.entries(leftOut).map(([name, some]) => `${number(some)} ${name}`),
    ),
  ];
};

export const textOf = (finding: ExportFinding): string => {
  const { workspace, isWhole, moment, bytes, seconds, tally } = finding;
  const { people, events, purchases } = tally;
  const lines = [
    isWhole
      ? `${workspace}: exported in ${clock(seconds)}, all of ${timeOf(moment)}`
      : `${workspace}: stopped; what is written can be gone on with for as long as MongoDB keeps ${timeOf(moment)}`,
    `  ${number(people)} people, ${number(events)} events, ${number(purchases)} purchases, ${number(bytes)} bytes`,
    ...leftLines(tally, leftIn(tally)),
  ];
  return `${lines.join('\n')}\n`;
};

export const notesOf = ({ isWhole, isFresh, goOn }: ExportFinding): string[] => [
  ...(isFresh === false
    ? [
        'Something that had been accepted before was not applied yet, and is not in it: the workers are behind.',
      ]
    : []),
  ...(isFresh === undefined
    ? ['Redis does not answer, so it is unknown whether every accepted request is in it.']
    : []),
  ...(!isWhole && goOn ? [`To go on: ${goOn}`] : []),
];
