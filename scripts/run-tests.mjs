// Runs jest, and once more each file that failed, by itself on fresh servers; says what came of it.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { timedPass } from './jest-passes.mjs';
import { inMemory } from './memory.mjs';
import { isInterrupted, root, runLoud, tool } from './processes.mjs';
import { readQuarantine } from './quarantine.mjs';
import { seedOf } from './seed.cjs';
import { failedFiles, judgeRun, linesOf, mostAgain, totalsOf } from './verdict.mjs';

const slowest = 10;

/** Of node, for jest and its workers: most of what a test makes dies young, and a small room for it is cleared ten times as often. */
const forNode = ['--max-semi-space-size=32'];

const longestWords = 300;

/** What a test said when it failed, in one line. */
const wordsOf = ([message = '']) =>
  stripVTControlCharacters(message.split(/\n\s+at /)[0])
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestWords);

const reportOf = ({ name, status, startTime, endTime, assertionResults }) => ({
  file: relative(root, name),
  status,
  seconds: (endTime - startTime) / 1000,
  tests: assertionResults.map(({ fullName: name, status: own, failureMessages = [] }) => ({
    name,
    status: own,
    words: wordsOf(failureMessages),
  })),
});

/**
 * What each file told, and whether something went wrong outside of all of them. `own` stands first: an option that may be given several times
 * would take a name that follows as its own.
 */
const jest = async ({ own = [], given }, file, env) => {
  rmSync(file, { force: true });
  const all = [...own, '--passWithNoTests', '--json', `--outputFile=${file}`, ...given];
  const code = await runLoud(process.execPath, [...forNode, tool('jest/bin/jest.js'), ...all], env);
  if (isInterrupted(code)) process.exit(code);
  if (!existsSync(file)) return { reports: [], isBroken: true };
  const { testResults, success } = JSON.parse(readFileSync(file, 'utf8'));
  return { reports: testResults.map(reportOf), isBroken: code !== 0 && success };
};

const slowestOf = (reports) =>
  reports
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, slowest)
    .map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`);

/** Each failed file by itself: beside nothing, on servers that no other test has used. */
const runAgain = async (files, { given, json, env }) => {
  const reports = [];
  if (files.length > mostAgain) return reports;
  for (const file of files) {
    console.log(`\nOnce more, by itself: ${file}`);
    const one = await jest({ given: [...given, '--runTestsByPath', join(root, file)] }, json, env);
    reports.push(...one.reports);
  }
  return reports;
};

/** Options of jest that stay when one file is run once more: patterns of files go. */
const optionsIn = (args) => args.filter((arg) => arg.startsWith('--'));

/** With names of files nothing is left out. */
const argumentsFor = (given, isTimed) => {
  if (!isTimed) return { given };
  return given.length > 0 ? { own: ['--maxWorkers=1'], given } : { given: timedPass() };
};

/** `args`: as after `npm test --`. */
export const runTests = async (args) => {
  const isTimed = args.includes('--timed');
  const given = args.filter((arg) => arg !== '--timed');
  const quarantine = readQuarantine();
  const scraps = mkdtempSync(join(tmpdir(), 'roster-test-'));
  process.once('exit', () => rmSync(scraps, { recursive: true, force: true }));
  const json = join(scraps, 'result.json');
  const seed = String(seedOf(process.env));
  const env = { ...inMemory(), ROSTER_SEED: seed, ...(isTimed && { ROSTER_TIMED: '1' }) };
  console.log(`Random tests have the seed ${seed} (ROSTER_SEED=${seed} plays it again).`);

  const run = await jest(argumentsFor(given, isTimed), json, env);
  const failed = isTimed ? [] : failedFiles(run.reports, quarantine);
  const again = await runAgain(failed, { given: optionsIn(given), json, env });
  const verdict = judgeRun({ first: run.reports, again, quarantine });
  const totals = totalsOf(verdict);
  if (run.isBroken && totals.failed === 0) totals.failed = 1;
  const lines = [
    `\nThe slowest files:\n${slowestOf(run.reports).join('\n')}\n`,
    ...(run.isBroken ? ['FAILED something outside of the tests: see above'] : []),
    ...linesOf(verdict),
    totals.passed + totals.failed === 0
      ? 'No test matches.'
      : `${totals.passed} passed, ${totals.failed} failed`,
  ];
  return { totals, lines, failed: verdict.failed.map(({ file }) => file) };
};
