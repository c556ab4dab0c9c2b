// npm run long: see usage.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allParts } from './long/parts.mjs';
import { commitNow, openResults } from './long/results.mjs';
import { inMemory } from './memory.mjs';
import { prepare } from './prepare.mjs';
import { root, runLoud } from './processes.mjs';

const usage = `npm run long [-- part ...] [options]

Everything that is too long for the gate, one part after the other: tests that measure time, all tests with another seed, the fuzzer, SCIM conformance, the smoke test,
the blocks of the docs, the client in its runtimes, each fault with its control, each row of the bench. It goes on whatever fails, and writes faults/RESULTS.md after each part. Cut off, it is
taken up again by the same command on the same commit.

  part       a part by its name (faults/sends), or all of a group (timed, faults, bench)
  --quick    short trials: whether it works, not how well
  --again    forget what these parts did on this commit, and begin anew
  --list     the parts, and what they did on this commit
  --help`;

const options = {
  quick: { type: 'boolean', default: false },
  again: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

const leave = (code, text) => {
  console.log(text);
  process.exit(code);
};

const readArguments = () => {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return leave(2, `${error.message}\n\n${usage}`);
  }
};

const choose = (parts, wanted) => {
  const isMeant = (word, { name }) => name === word || name.startsWith(`${word}/`);
  const unknown = wanted.filter((word) => !parts.some((part) => isMeant(word, part)));
  if (unknown.length > 0)
    leave(2, `There is no part named ${unknown.join(', ')}. npm run long -- --list shows them.`);
  return wanted.length === 0 ? parts : parts.filter((part) => wanted.some((word) => isMeant(word, part)));
};

/** Of the logs. */
const folder = join(root, '.cache/long');

const logOf = ({ name }) => join(folder, `${name.replaceAll('/', '-')}.log`);

/** The longest has a limit of its own. A part that hangs must not keep the others from running. */
const mostMs = 4 * 3600_000;

const spanOf = (seconds) =>
  seconds < 100
    ? `${Math.round(seconds)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

/** In a folder of its own, which goes with all that still runs there. */
const perform = async (part, { quick, sweep, folderOf }) => {
  const dir = mkdtempSync(join(folderOf(part), 'part-'));
  const result = join(folder, 'result.json');
  rmSync(result, { force: true });
  const output = openSync(logOf(part), 'w');
  const began = performance.now();
  try {
    const env = { TMPDIR: dir, ROSTER_RUN: dir, ROSTER_TOTALS: result, ...part.env };
    await runLoud(process.execPath, part.run({ result, quick }), env, root, { output, limitMs: mostMs });
  } finally {
    closeSync(output);
    sweep(dir);
  }
  const seconds = (performance.now() - began) / 1_000;
  return { ...part.read({ result, quick, log: readFileSync(logOf(part), 'utf8') }), seconds };
};

const failed = ['broken', 'invalid', 'error'];

const lineOf = (part, { verdict, broken }) => `${verdict.padEnd(8)} ${part.name}: ${broken} (${logOf(part)})`;

/** Tells whether nothing is broken. */
const summarize = (chosen, results) => {
  const done = chosen.map((part) => [part, results.of(part.name)]).filter(([, result]) => result);
  const bad = done.filter(([, { verdict }]) => failed.includes(verdict));
  const verdicts = done.map(([, { verdict }]) => verdict);
  const counts = [...new Set(verdicts)].map(
    (one) => `${verdicts.filter((each) => each === one).length} ${one}`,
  );
  console.log(['', ...bad.map(([part, result]) => lineOf(part, result)), counts.join(', ')].join('\n'));
  return bad.length === 0;
};

const { values, positionals } = readArguments();
const { quick, again, list } = values;
if (values.help) leave(0, usage);
await prepare('build', 'compile-trials');
const parts = await allParts();
const names = parts.map(({ name }) => name);
const chosen = choose(parts, positionals);
const results = openResults(names, { commit: await commitNow(), quick });
if (list) {
  for (const { name } of chosen) console.log(`${name.padEnd(26)} ${results.of(name)?.verdict ?? ''}`);
  process.exit(0);
}
if (again) results.forget(chosen.map(({ name }) => name));
const rest = chosen.filter(({ name }) => !results.of(name));
if (rest.length < chosen.length)
  console.log(`${chosen.length - rest.length} have a result on this commit already (--again forgets it).`);

const { memoryFolder, openRun } = await import('../packages/local-stack/dist/index.js');
const { sweep } = await import('../packages/local-stack/dist/run/sweep.js');
const memory = inMemory();
if (quick) Object.assign(process.env, memory);
const folderOf = (part) => (part.inMemory && memory.TMPDIR ? memoryFolder() : tmpdir());
openRun('long');
mkdirSync(folder, { recursive: true });
const began = performance.now();
for (const [n, part] of rest.entries()) {
  const place = `[${n + 1}/${rest.length}]`;
  console.log(`${place} ${part.name} ...`);
  const result = await perform(part, { quick, sweep, folderOf });
  results.set(part.name, { ...result, date: new Date().toISOString().slice(0, 10) });
  const elapsed = spanOf((performance.now() - began) / 1_000);
  console.log(
    `${place} ${result.verdict.padEnd(8)} ${part.name}, ${spanOf(result.seconds)}; ${elapsed} so far. ${result.broken[0] ?? ''}`,
  );
}
process.exitCode = summarize(chosen, results) ? 0 : 1;
