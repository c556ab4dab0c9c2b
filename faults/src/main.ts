// npm run faults: see usage.
import { writeFileSync } from 'node:fs';
import { assertKnown, readArguments } from '@roster/local-stack';
import { faults } from './faults/index.ts';
import type { Fault, Findings } from './harness/fault.ts';
import { paragraph, type Result, summary, totalsOf } from './harness/report.ts';
import { runTrial } from './harness/trial.ts';
import { tryBoth } from './harness/tries.ts';
import { eachOf } from './harness/wait.ts';

const usage = `npm run faults [-- name ...] [options]

Starts the whole system on servers of its own, breaks something, and counts what was accepted and what took effect.
Without names: all of them.

  --quick          smaller, several at once, as in CI
  --lanes n        so many at once (3 with --quick, else 1)
  --seed n         the same dice again: a trial that failed says its seed
  --histories n    so many random histories (identity)
  --old folder     the bundles of an earlier version, which runs beside this one (rolling): see docs/upgrading.md
  --may-skip name  this fault may be skipped where it can't be tried; without permission a skipped fault has failed
  --list           their names, and what each is about
  --help`;

const { values, positionals } = readArguments(usage, {
  quick: { type: 'boolean', default: false },
  lanes: { type: 'string' },
  seed: { type: 'string' },
  histories: { type: 'string' },
  old: { type: 'string' },
  'may-skip': { type: 'string', multiple: true, default: [] },
  list: { type: 'boolean', default: false },
});

/** In CI several go on at once: most of a trial is waiting. At full length, and where milliseconds are compared, each has the machine for itself. */
const lanes = Number(values.lanes ?? (values.quick ? 3 : 1));

const asNumber = (name: 'seed' | 'histories') =>
  values[name] === undefined ? {} : { [name]: Number(values[name]) };
const chance: { seed?: number; histories?: number; old?: string } = {
  ...asNumber('seed'),
  ...asNumber('histories'),
  ...(values.old !== undefined && { old: values.old }),
};

/** A long run of histories takes its time: half a second for each, where they are played at ten a second. */
const limitOf = ({ limitMinutes = 15 }: Fault): number =>
  limitMinutes * 60_000 + 500 * (chance.histories ?? 0);

const tried = async (fault: Fault): Promise<Omit<Result, 'fault' | 'seconds'>> => {
  const say = (line: string): void => console.log(`  . ${fault.name}: ${line}`);
  const trial = (run: Fault['run']): Promise<Findings> =>
    runTrial(run, { quick: values.quick, ...chance, say, limitMs: limitOf(fault) });
  const reason = fault.skip?.();
  if (reason) return { skipped: { reason, permitted: values['may-skip'].includes(fault.name) } };
  say(fault.title);
  return tryBoth(fault, { trial, say });
};

const tryAll = async (chosen: Fault[]): Promise<Result[]> => {
  const results: Result[] = [];
  const tryOne = async (fault: Fault): Promise<void> => {
    const began = performance.now();
    const result = { fault, ...(await tried(fault)), seconds: (performance.now() - began) / 1_000 };
    results.push(result);
    console.log(paragraph(result));
  };
  const usual = chosen.filter(({ inPairs, alone }) => !inPairs && !alone);
  const inPairs = chosen.filter((fault) => fault.inPairs);
  const alone = chosen.filter((fault) => fault.alone);
  await eachOf(usual, lanes, tryOne);
  await eachOf(inPairs, Math.min(lanes, 2), tryOne);
  await eachOf(alone, 1, tryOne);
  return results;
};

const choose = (names: string[]): Fault[] => {
  assertKnown(
    'fault',
    [...names, ...values['may-skip']],
    faults.map(({ name }) => name),
  );
  if (names.length > 0) return faults.filter(({ name }) => names.includes(name));
  return faults.filter(({ onlyByName }) => !(values.quick && onlyByName));
};

const main = async (): Promise<void> => {
  const chosen = choose(positionals);
  if (values.list) {
    for (const { name, title } of chosen) console.log(`${name.padEnd(15)} ${title}`);
    return;
  }
  const results = await tryAll(chosen);
  const totals = totalsOf(results);
  const lines = results.map(summary).join('\n');
  const skipped = results.length - totals.passed - totals.failed;
  const counts = [`${totals.passed} passed`, `${totals.failed} failed`];
  if (skipped > 0) counts.push(`${skipped} skipped with permission`);
  const left = faults.filter((fault) => fault.onlyByName && !chosen.includes(fault)).map(({ name }) => name);
  const byName = left.length > 0 && positionals.length === 0 ? `\nOnly by name: ${left.join(', ')}` : '';
  console.log(`\n${lines}\n${byName}\n${counts.join(', ')}`);
  if (process.env.ROSTER_TOTALS) writeFileSync(process.env.ROSTER_TOTALS, JSON.stringify(totals));
  // A trial that took too long may be under way still.
  process.exit(totals.failed === 0 ? 0 : 1);
};

// So that whatever is undone at the exit is undone then, too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await main();
