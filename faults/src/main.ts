// npm run faults: see usage.
import { writeFileSync } from 'node:fs';
import { openRun } from '@roster/local-stack';
import { assertKnown, readArguments } from '@roster/testkit';
import { faults, others } from './faults/index.ts';
import type { Fault, Findings } from './harness/fault.ts';
import { paragraph, partOf, type Result, summary, totalsOf } from './harness/report.ts';
import { runTrial } from './harness/trial.ts';
import { tryBoth } from './harness/tries.ts';
import { eachOf } from './harness/wait.ts';
import { measurePace } from './yardstick/usual-ms.ts';

const usage = `npm run faults [-- name ...] [options]

Starts the whole system on servers of its own, breaks something, and counts what was accepted and what took effect.
Without names: all of them. The names of tables, histories and kills, are all of their rows.

  --quick          smaller, several at once, as in CI
  --gate           the smallest trials of the few that the gate runs: they count, judge no time, and play no controls
  --controls       with --gate: their controls, too
  --lanes n        so many at once (3 with --quick, else 1)
  --seed n         the same dice again: a trial that failed says its seed
  --histories n    so many random histories (identity)
  --row name       this row, and others so named (peers)
  --may-skip name  this fault may be skipped where it can't be tried; without permission a skipped fault has failed
  --list           their names, and what each is about
  --help`;

const { values, positionals } = readArguments(usage, {
  quick: { type: 'boolean', default: false },
  gate: { type: 'boolean', default: false },
  controls: { type: 'boolean', default: false },
  lanes: { type: 'string' },
  seed: { type: 'string' },
  histories: { type: 'string' },
  row: { type: 'string', multiple: true },
  'may-skip': { type: 'string', multiple: true, default: [] },
  list: { type: 'boolean', default: false },
});

/** In CI several go on at once: most of a trial is waiting. At full length, and where milliseconds are compared, each has the machine for itself. */
const lanes = Number(values.lanes ?? (values.quick ? 3 : 1));

const asNumber = (name: 'seed' | 'histories') =>
  values[name] === undefined ? {} : { [name]: Number(values[name]) };

/** The gate plays the same each time. */
const seedOfGate = 1;
const chance: { seed?: number; histories?: number } = {
  ...(values.gate && { seed: seedOfGate }),
  ...asNumber('seed'),
  ...asNumber('histories'),
};
const sizes = {
  quick: values.quick || values.gate,
  counting: values.gate,
  ...(values.row && { rows: values.row }),
};

/** A long run of histories takes its time: half a second for each, where they are played at ten a second. */
const limitOf = ({ limitMinutes = 15 }: Fault): number =>
  limitMinutes * 60_000 + 500 * (chance.histories ?? 0);

const tried = async (fault: Fault): Promise<Omit<Result, 'fault' | 'seconds'>> => {
  const say = (line: string): void => console.log(`  . ${fault.name}: ${line}`);
  const trial = (run: Fault['run']): Promise<Findings> =>
    runTrial(run, { ...sizes, ...chance, say, limitMs: limitOf(fault) });
  const reason = fault.skip?.();
  if (reason) return { skipped: { reason, permitted: values['may-skip'].includes(fault.name) } };
  say(fault.title);
  return tryBoth(fault, { trial, say, controlled: !values.gate || values.controls });
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

const choose = (asked: string[]): Fault[] => {
  const known = faults.filter(({ inGate }) => inGate || !values.gate);
  const names = asked.flatMap((name) => others[name]?.map((fault) => fault.name) ?? name);
  assertKnown(
    'fault',
    [...names, ...values['may-skip']],
    known.map(({ name }) => name),
  );
  if (names.length > 0) return known.filter(({ name }) => names.includes(name));
  if (values.gate) return known;
  return faults.filter(({ onlyByName }) => !(values.quick && onlyByName));
};

const main = async (): Promise<void> => {
  const chosen = choose(positionals);
  if (values.list) {
    for (const { name, title } of chosen) console.log(`${name.padEnd(15)} ${title}`);
    return;
  }
  openRun('faults');
  if (chosen.some(({ alone }) => alone) && !values.gate)
    console.log(
      `a plain Express answer costs ${(await measurePace()).toFixed(0)} us of CPU here: the yardstick of times`,
    );
  const results = await tryAll(chosen);
  const totals = totalsOf(results);
  const lines = results.map(summary).join('\n');
  const skipped = results.length - totals.passed - totals.failed;
  const counts = [`${totals.passed} passed`, `${totals.failed} failed`];
  if (skipped > 0) counts.push(`${skipped} skipped with permission`);
  const left = faults
    .filter((fault) => !values.gate && fault.onlyByName && !chosen.includes(fault))
    .map(({ name }) => name);
  const byName = left.length > 0 && positionals.length === 0 ? `\nOnly by name: ${left.join(', ')}` : '';
  console.log(`\n${lines}\n${byName}\n${counts.join(', ')}`);
  if (process.env.ROSTER_TOTALS)
    writeFileSync(process.env.ROSTER_TOTALS, JSON.stringify({ ...totals, parts: results.map(partOf) }));
  // A trial that took too long may be under way still.
  process.exit(totals.failed === 0 ? 0 : 1);
};

await main();
