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
  ...extra.map(
    ({ collection, name }) => `extra      ${collection}.${name}: no query of this version needs it`,
  ),
];

const notesOf = ({ missing, different, extra }: IndexReport): MaybeLine[] => [
  missing.length > 0 && '"roster migrate" makes what is missing.',
  different.length > 0 &&
    'An index that differs was made by hand: drop it (db.<collection>.dropIndex), and "roster migrate" makes it anew.',
  extra.length > 0 &&
    '"roster migrate --prune" removes what is extra, once no process of another version is left.',
];

const resultOf = (report: IndexReport, pruned: readonly string[]): Result => {
  // An index that nobody needs has a cost but breaks nothing: it is listed, and is no difference.
  const right = report.missing.length === 0 && report.different.length === 0;
  const removed = pruned.map((name) => `removed    ${name}`);
  return {
    json: { right, ...report, pruned },
    text: linesOf([...removed, ...findingsOf(report), right && 'every index that is needed is there']),
    notes: notesOf(report),
    exitCode: right ? exitCodes.done : exitCodes.different,
  };
};

interface Flags {
  check?: boolean;
  prune?: boolean;
}

const migrate = async ({ servers }: Tools, { check = false, prune = false }: Flags): Promise<Result> => {
  const { indexes } = await servers.store();
  const before = await indexes.compare();
  if (check) return resultOf(before, []);
  // MongoDB refuses an index of the same name and another definition: report it instead of failing half way.
  if (before.different.length === 0) await indexes.ensure();
  const pruned = prune ? await indexes.prune(before.extra) : [];
  return resultOf(await indexes.compare(), pruned);
};

const help = `
Before processes of a new version start, and before the first start of all: they wait until what they need is there.
Repeating it changes nothing, and two at once do no harm. Making an index on a big collection takes its time, and
everything goes on meanwhile. The exit code is 4 when an index is missing or differs.`;

export const migrateCommand: Command = {
  about: 'prepare the database for this version: collections and indexes',
  example: 'roster migrate',
  flags: {
    '--check': 'change nothing, and tell what is missing',
    '--prune': 'remove indexes that this version does not need, once every process is of this version',
  },
  help,
  run: migrate,
};
