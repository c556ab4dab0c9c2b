// npm run bench: see usage.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { openRun } from '@roster/local-stack';
import { assertKnown, readArguments } from '@roster/testkit';
import { measureAgainst, sideOf } from './against.ts';
import type { Bench } from './bench.ts';
import type { Judged } from './figure.ts';
import { openRows, say } from './open-rows.ts';
import { benches, long } from './rows/index.ts';
import { barText, comparedTable, short, table } from './table.ts';

const usage = `npm run bench [-- name ...] [options]

Measures against bare servers in the same run, by CPU time and ratios, and says which bars are met. Without names: everything.

  --quick        once, for a second each, all on one system: whether it works, not how fast
  --runs n       so many runs of each (5)
  --seconds n    so long each (5)
  --events n     growth stores so many (30,000,000); it takes half an hour, and runs only when it is named
  --people n     people makes so many (10,000,000); it takes ten minutes, and runs only when it is named.
                 broadcast sends to so many (1,000,000); it takes a quarter of an hour, and runs only when it is named
  --against dir  the same lines by another checkout that is built, in turns with this one: their ratio, of so many rounds as --runs says
  --help

There are: ${[...benches, ...long].map(({ name }) => name).join(', ')}`;

const { values, positionals } = readArguments(usage, {
  quick: { type: 'boolean', default: false },
  runs: { type: 'string' },
  seconds: { type: 'string' },
  events: { type: 'string' },
  people: { type: 'string' },
  against: { type: 'string' },
});

const runs = Number(values.runs ?? (values.quick ? 1 : 5));
const countOf = (value: string | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);
const [mostEvents, mostPeople] = [countOf(values.events), countOf(values.people)];
const seconds = Number(values.seconds ?? (values.quick ? 1 : 5));

const choose = (names: string[]): Bench[] => {
  const all = [...benches, ...long];
  assertKnown(
    'bench',
    names,
    all.map(({ name }) => name),
  );
  return names.length === 0 ? benches : all.filter(({ name }) => names.includes(name));
};

const extent = { runs, seconds, quick: values.quick, mostEvents, mostPeople };

/** These benches, one after the other, on one fresh system. */
const measureTogether = async (chosen: Bench[]): Promise<Judged[]> => {
  const rows = await openRows(chosen.length === 1 ? (chosen[0] ?? {}) : {}, extent);
  try {
    const figures: Judged[] = [];
    for (const bench of chosen) {
      say(bench.name);
      figures.push(...(await rows.measure(bench)));
    }
    return figures;
  } finally {
    await rows.stop();
  }
};

/** Each on a system of its own, so that none pays for what another has stored; all on one when it has to be quick. */
const measureAll = async (chosen: Bench[]): Promise<Judged[]> => {
  if (values.quick) return measureTogether(chosen);
  const figures: Judged[] = [];
  for (const bench of chosen) figures.push(...(await measureTogether([bench])));
  return figures;
};

const keep = (figures: Judged[]): string => {
  const dir = new URL('../results/', import.meta.url);
  const made = new Date().toISOString();
  const file = new URL(`${made.replace(/[:.]/g, '-')}.local.json`, dir);
  mkdirSync(dir, { recursive: true });
  const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.version };
  writeFileSync(
    file,
    JSON.stringify({ made, machine, runs, seconds, quick: values.quick, figures }, null, 2),
  );
  return file.pathname;
};

const shortfall = ({ work, unit, spread, bar, verdict }: Judged): string[] =>
  verdict === 'NOT MET' ? [`${work}: ${barText(bar)} ${unit}, not ${short(spread.median)}`] : [];

/** For programs: whether each line with a bar met it. */
const writeTotals = (figures: Judged[]): void => {
  const { ROSTER_TOTALS: file } = process.env;
  const count = (wanted: Judged['verdict']) => figures.filter(({ verdict }) => verdict === wanted).length;
  const parts = figures.map((figure) => ({
    name: figure.work,
    verdict: figure.verdict,
    broken: shortfall(figure),
  }));
  if (file) writeFileSync(file, JSON.stringify({ passed: count('met'), failed: count('NOT MET'), parts }));
};

const chosen = choose(positionals);
openRun('bench');

/** Another checkout is measured beside this one. */
const showAgainst = async (folder: string): Promise<void> => {
  if (!existsSync(sideOf(folder))) {
    console.error(`There is no ${sideOf(folder)}: run npm run build there first.`);
    process.exit(2);
  }
  for (const { name } of chosen) {
    say(`${name}, in turns with ${folder}`);
    console.log(comparedTable(await measureAgainst(name, folder, runs, { ...extent, runs: 1 })));
  }
};

const showAll = async (): Promise<void> => {
  const figures = await measureAll(chosen);
  const file = keep(figures);
  console.log(
    `\n${table(figures)}\n\n${cpus().length} cores; ${runs} runs of ${seconds} s; all figures in ${file}`,
  );
  writeTotals(figures);
  process.exitCode = figures.some(({ verdict }) => verdict === 'NOT MET') && !values.quick ? 1 : 0;
};

await (values.against === undefined ? showAll() : showAgainst(values.against));
