// faults/RESULTS.md: a row for each part of the long run. It is read back, so that who runs some parts changes their rows only.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';

const file = join(root, 'faults/RESULTS.md');

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

const rowOf = ({ verdict, quick, seconds, seed = '', commit, date, broken }) =>
  [quick ? `${verdict}, quick` : verdict, Math.round(seconds), seed, commit, date, broken[0] ?? ''].map(cell);

const render = (names, rows) => {
  const empty = [notRun, '', '', '', '', ''];
  const body = names.map((name) => line([name, ...(rows.get(name) ?? empty)]));
  return [head, line(columns), line(columns.map(() => '---')), ...body, ''].join('\n');
};

/** Rows of parts that are no more go. */
export const writeResults = (names, results) => {
  const rows = existsSync(file) ? parse(readFileSync(file, 'utf8')) : new Map();
  for (const [name, result] of Object.entries(results)) rows.set(name, rowOf(result));
  writeFileSync(file, render(names, rows));
};
