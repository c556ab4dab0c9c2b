// Runs jest, and once more each file that failed, by itself on fresh servers; says what came of it.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJest } from './jest.mjs';
import { timedPass } from './jest-passes.mjs';
import { shareTestServers } from './jest-servers.mjs';
import { inMemory } from './memory.mjs';
import { isInterrupted, root } from './processes.mjs';
import { readQuarantine } from './quarantine.mjs';
import { seedOf } from './seed.cjs';
import { turbo } from './turbo.mjs';
import { failedFiles, judgeRun, linesOf, mostAgain, totalsOf } from './verdict.mjs';

const slowest = 10;

/** What a run of jest left in `file` (jest-report.cjs). Something went wrong outside of all tests when none failed and it ended badly. */
const readReport = (file, code) => {
  if (!existsSync(file)) return { reports: [], isBroken: code !== 0 };
  const { success, reports } = JSON.parse(readFileSync(file, 'utf8'));
  return { reports, isBroken: code !== 0 && success };
};

const jest = async ({ own = [], given }, file, env) => {
  rmSync(file, { force: true });
  const code = await runJest(own, given, { ...env, ROSTER_TEST_REPORT: file });
  if (isInterrupted(code)) process.exit(code);
  return readReport(file, code);
};

const { projects } = createRequire(import.meta.url)('../jest.config.cjs');
const reportFiles = projects.map((path) => join(root, path.replace('<rootDir>/', ''), '.cache/test.json'));

/**
 * Which packages, and how many of them at once: two more than the machine that CI has cores, since half of the time a test waits for a server. One
 * takes a quarter of the time: in line behind others it would run alone at the end.
 */
const groups = [
  ['--filter=@roster/e2e', '--concurrency=1'],
  ['--filter=!@roster/e2e', '--concurrency=3'],
];

/** Of every package, as a task of its own; `force`: also what has not changed since it passed. */
const packages = async ({ force }, env) => {
  for (const file of reportFiles) rmSync(file, { force: true });
  const servers = await shareTestServers();
  // The task depends on the variable, so what passed before does not count.
  const own = { ...env, ...servers.env, ...(force && { ROSTER_TEST_RUN: String(Date.now()) }) };
  const runs = groups.map((group) => turbo(['test'], [...group, '--output-logs=new-only'], own));
  const codes = await Promise.all(runs).finally(servers.stop);
  const interrupted = codes.find(isInterrupted);
  if (interrupted) process.exit(interrupted);
  const hasFailed = codes.some((code) => code !== 0);
  const reports = reportFiles.flatMap((file) => readReport(file, 0).reports);
  const isComplete = reportFiles.every(existsSync);
  return { reports, isBroken: !isComplete || (hasFailed && failedFiles(reports, []).length === 0) };
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
const namePatterns = ['-t', '--testNamePattern'];
const optionsIn = (args) =>
  args.filter((arg, at) => arg.startsWith('-') || namePatterns.includes(args[at - 1]));

/** With names of files nothing is left out. */
const argumentsFor = (given, isTimed) => {
  if (!isTimed) return { given };
  return given.length > 0 ? { own: ['--maxWorkers=1'], given } : { given: timedPass() };
};

/** `args`: as after `npm test --`. Without any every package is tested, if it has changed since it passed; otherwise jest has the arguments. */
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

  // Somebody who chooses how random tests are played wants them played.
  const force = Boolean(process.env.ROSTER_SEED ?? process.env.ROSTER_ALL_RUNS);
  const run = await (args.length === 0
    ? packages({ force }, env)
    : jest(argumentsFor(given, isTimed), json, env));
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
  return { totals, lines };
};
