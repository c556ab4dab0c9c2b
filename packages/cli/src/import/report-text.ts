/** The report of an import in words. */
import { clock, number, section } from '../shown.ts';
import { staysBehind } from './exported-user.ts';
import type { Ending, Finding } from './finding.ts';
import { lackOf } from './lacks.ts';
import { ignoredIn } from './totals.ts';

const countLines = (counts: Readonly<Record<string, number>>, more = (_name: string) => ''): string[] =>
  Object.entries(counts).map(([name, count]) => `${name} (${number(count)})${more(name)}`);

const reasonOf = (name: string): string => {
  if (Object.hasOwn(staysBehind, name)) return staysBehind[name] ?? '';
  const lack = lackOf(name);
  if (lack) return `${lack.reason}; ${lack.remedy}`;
  if (name.startsWith('custom_attributes.')) return 'has the name of a field';
  return 'cannot be sent by /users/track';
};

const lostLines = ({ totals, refusedFile }: Finding): string[] => {
  const more = totals.refused - totals.firstRefusals.length;
  const all = `(${refusedFile} has all of them, each with its row):`;
  return [
    ...section(`Refused ${all}`, [
      ...totals.firstRefusals.map(({ line, code, sentence }) => `line ${line}  ${code}  ${sentence}`),
      ...(more > 0 ? [`and ${number(more)} more`] : []),
    ]),
    ...section(`Ignored when they were applied ${all}`, countLines(totals.ignored)),
    ...section('Ignored inside entries that were applied:', countLines(totals.notes)),
    ...section(
      'Left out:',
      countLines(totals.leftOut, (name) => `: ${reasonOf(name)}`),
    ),
  ];
};

const headline: Readonly<Record<Ending, (finding: Finding) => string>> = {
  complete: ({ file, seconds }) => `${file}: imported in ${clock(seconds)}`,
  interrupted: ({ file, position }) => `${file}: stopped; everything before line ${position.line} is done`,
  'was complete': ({ file }) =>
    `${file}: had been imported already, nothing was sent. --restart sends it again.`,
};

export const textOf = (finding: Finding): string => {
  const { totals, ending } = finding;
  const ignored = ignoredIn(totals);
  const lines = [
    headline[ending](finding),
    `  ${number(totals.rows)} rows, ${number(totals.sent)} entries in ${number(totals.requests)} requests`,
    `  ${number(totals.accepted)} accepted, ${number(totals.refused)} refused${ignored > 0 ? `, ${number(ignored)} ignored` : ''}`,
    ...lostLines(finding),
  ];
  return `${lines.join('\n')}\n`;
};
