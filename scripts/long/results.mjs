// faults/RESULTS.md: a row for each part of the long run. It is read back, so that who runs some parts changes their rows only, and a run that
// was cut off is taken up again.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runQuiet } from '../processes.mjs';

const file = join(root, 'faults/RESULTS.md');

const git = async (...args) => {
  const { code, output } = await runQuiet('git', args).catch(() => ({ code: 1, output: '' }));
  return code === 0 ? output.trim() : '';
};

/** What is tried: a `+` stands for changes that are in no commit. */
export const commitNow = async () => {
  const commit = await git('rev-parse', '--short=8', 'HEAD');
  const changed = await git('status', '--porcelain', '--', '.', ':!faults/RESULTS.md');
  return `${commit || 'unknown'}${changed ? '+' : ''}`;
};

const head = `# Results of the long run

\`npm run long\` makes this file after each of its parts; do not edit it. Who changes something runs the parts that it touches (\`npm run long -- faults/sends bench/sends\`) and commits
their rows with it; the other rows stay as they are. \`commit\` is the one that was tried, with a \`+\` where files were changed since.

- \`held\`: every promise was kept, and for a fault its control broke. \`ran\`: a bench row without a bar.
- \`broken\`: a promise or a bar was not kept. \`invalid\`: the control broke nothing, so the fault shows nothing. \`error\`: the part itself failed.
- \`skipped\`: this machine can't try it. \`seed\`: plays it again with \`--seed\`; without one the part always does the same, or has no dice.
`;

const columns = ['part', 'result', 'seconds', 'seed', 'commit', 'date', 'what was broken'];
const mostChars = 200;

/** A cell is one line, and no bar ends it. */
const cell = (text) => String(text).replace(/\s+/g, ' ').slice(0, mostChars).replaceAll('|', '\\|');

const line = (cells) => `| ${cells.join(' | ')} |`;

const cellsOf = (text) =>
  text
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((part) => part.trim());

const notRun = 'not run';

/** The cells of each part that has a result. */
const parse = (text) =>
  new Map(
    text
      .split('\n')
      .filter((row) => row.startsWith('| ') && !row.startsWith('| ---'))
      .map(cellsOf)
      .filter(([part, result]) => part !== columns[0] && result !== notRun)
      .map(([part, ...cells]) => [part, cells]),
  );

const resultCell = (verdict, quick) => (quick ? `${verdict}, quick` : verdict);

const rowOf = ({ verdict, quick, seconds, seed = '', commit, date, broken }) =>
  [resultCell(verdict, quick), Math.round(seconds), seed, commit, date, broken[0] ?? ''].map(cell);

const render = (names, rows) => {
  const empty = [notRun, '', '', '', '', ''];
  const body = names.map((name) => line([name, ...(rows.get(name) ?? empty)]));
  return [head, line(columns), line(columns.map(() => '---')), ...body, ''].join('\n');
};

/** Rows of parts that are no more go. */
export const openResults = (names, { commit, quick }) => {
  const rows = existsSync(file) ? parse(readFileSync(file, 'utf8')) : new Map();
  const write = () => {
    writeFileSync(`${file}.new`, render(names, rows));
    renameSync(`${file}.new`, file);
  };
  /** What a part came to on this commit, in this length. */
  const of = (name) => {
    const [result = '', , , on, , broken] = rows.get(name) ?? [];
    const [verdict] = result.split(',');
    return on === commit && result === resultCell(verdict, quick) ? { verdict, broken } : undefined;
  };
  return {
    of,
    set(name, result) {
      rows.set(name, rowOf({ ...result, commit, quick }));
      write();
    },
    forget(some) {
      for (const name of some) if (of(name)) rows.delete(name);
      write();
    },
  };
};
