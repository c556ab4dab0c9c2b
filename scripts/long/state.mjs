// What the long run has done so far on this commit, so that it can be cut off and taken up again.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runQuiet } from '../processes.mjs';

/** The results, and the logs of the parts. */
export const folder = join(root, '.cache/long');
const file = join(folder, 'state.json');

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

const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** The results of `key` by part; those of others are forgotten. */
export const openState = (key) => {
  mkdirSync(folder, { recursive: true });
  const { key: last, results: kept = {} } = read();
  const results = last === key ? kept : {};
  const write = () => {
    writeFileSync(`${file}.new`, JSON.stringify({ key, results }, null, 2));
    renameSync(`${file}.new`, file);
  };
  return {
    results,
    set(name, result) {
      results[name] = result;
      write();
    },
    forget(names) {
      for (const name of names) delete results[name];
      write();
    },
  };
};
