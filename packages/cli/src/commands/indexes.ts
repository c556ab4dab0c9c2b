import type { Index, IndexReport } from '@roster/store';
import type { Command, Tools } from '../command.ts';
import { exitCodes, type Result } from '../result.ts';
import { linesOf, type MaybeLine } from '../shown.ts';

const keyOf = ({ key }: Index): string => Object.keys(key).join(', ');

const lineOf = (word: string) => (index: Index & { reason: string }) =>
  `${word.padEnd(9)}  ${index.collection}.${index.name} (${keyOf(index)}): ${index.reason}`;

const findingsOf = ({ missing, different, extra }: IndexReport): string[] => [
  ...missing.map(lineOf('missing')),
  ...different.map(lineOf('different')),
  ...extra.map(({ collection, name }) => `extra      ${collection}.${name}: no query of ours needs it`),
];

const notesOf = ({ missing, different }: IndexReport): MaybeLine[] => [
  missing.length > 0 && '"roster indexes --apply" makes what is missing.',
  different.length > 0 &&
    'An index that differs must be dropped by hand (db.<collection>.dropIndex) before --apply can make it anew.',
];

const resultOf = (report: IndexReport): Result => {
  // An undeclared index has a cost but breaks nothing: it is listed, and is no difference.
  const right = report.missing.length === 0 && report.different.length === 0;
  return {
    json: { right, ...report },
    text: linesOf([...findingsOf(report), right && 'every index that is needed is there']),
    notes: notesOf(report),
    exitCode: right ? exitCodes.done : exitCodes.different,
  };
};

const compareOrApply = async (
  { servers }: Tools,
  { apply = false }: { apply?: boolean },
): Promise<Result> => {
  const { indexes } = await servers.store();
  const before = await indexes.compare();
  // MongoDB refuses an index of the same name and another definition: report it instead of failing half way.
  if (apply && before.different.length === 0) await indexes.ensure();
  return resultOf(apply ? await indexes.compare() : before);
};

const help = `
Without --apply nothing is changed; the exit code is 4 when an index is missing or differs.
Making an index on a big collection takes its time, and everything goes on meanwhile.`;

export const indexesCommand: Command = {
  about: 'compare the indexes in MongoDB with those that are needed',
  example: 'roster indexes',
  flags: { '--apply': 'make what is missing' },
  help,
  run: compareOrApply,
};
