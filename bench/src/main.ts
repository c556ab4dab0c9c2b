// npm run bench: see usage.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { openRun } from '@roster/local-stack';
import { assertKnown, readArguments } from '@roster/testkit';
import type { Bench, Setting } from './bench.ts';
import { startChild } from './child.ts';
import { type Figure, type Judged, judge } from './figure.ts';
import { residents } from './load/bodies.ts';
import type { LoadReport, LoadSpec } from './load/spec.ts';
import { benches, long } from './rows/index.ts';
import { startSystem } from './system.ts';
import { barText, short, table } from './table.ts';

const usage = `npm run bench [-- name ...] [options]

Measures against bare servers in the same run, by CPU time and ratios, and says which bars are met. Without names: everything.

  --quick        once, for a second each, all on one system: whether it works, not how fast
  --runs n       so many runs of each (5)
  --seconds n    so long each (5)
  --events n     growth stores so many (30,000,000); it takes half an hour, and runs only when it is named
  --people n     people makes so many (10,000,000); it takes ten minutes, and runs only when it is named.
                 broadcast sends to so many (1,000,000); it takes a quarter of an hour, and runs only when it is named
  --help

There are: ${[...benches, ...long].map(({ name }) => name).join(', ')}`;

const { values, positionals } = readArguments(usage, {
  quick: { type: 'boolean', default: false },
  runs: { type: 'string' },
  seconds: { type: 'string' },
  events: { type: 'string' },
  people: { type: 'string' },
});

const runs = Number(values.runs ?? (values.quick ? 1 : 5));
const countOf = (value: string | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);
const [mostEvents, mostPeople] = [countOf(values.events), countOf(values.people)];
const seconds = Number(values.seconds ?? (values.quick ? 1 : 5));

const say = (line: string): void => console.log(`. ${line}`);

const choose = (names: string[]): Bench[] => {
  const all = [...benches, ...long];
  assertKnown(
    'bench',
    names,
    all.map(({ name }) => name),
  );
  return names.length === 0 ? benches : all.filter(({ name }) => names.includes(name));
};

const assertAccepted = ({ statuses }: LoadReport): void => {
  const others = Object.entries(statuses).filter(([status]) => status !== '201');
  if (others.length > 0) throw new Error(`not everything was answered 201: ${JSON.stringify(statuses)}`);
};

type Load = (url: string, apiKey: string, spec: Parameters<Setting['load']>[0]) => Promise<LoadReport>;

const measureOne = async (bench: Bench, setting: Omit<Setting, 'atEnd'>): Promise<Figure[]> => {
  const undo: (() => unknown)[] = [];
  try {
    return await bench.measure({ ...setting, atEnd: (work) => void undo.push(work) });
  } finally {
    for (const work of undo.reverse()) await work();
  }
};

/** These benches, one after the other, on one fresh system. */
const measureTogether = async (chosen: Bench[], send: Load): Promise<Judged[]> => {
  const system = await startSystem(chosen.length === 1 ? chosen[0] : {});
  try {
    const loadAt: Setting['loadAt'] = (url, spec) => send(url, system.apiKey, spec);
    const load: Setting['load'] = (spec) => loadAt(system.trackUrl, spec);
    const { quick } = values;
    const bounds = { mostEvents, mostPeople };
    const setting = { system, runs, seconds, quick, load, loadAt, say, ...bounds };
    await load({ connections: 8, load: { kind: 'arrivals', people: residents } });
    await system.quiet();
    const figures: Judged[] = [];
    for (const bench of chosen) {
      say(bench.name);
      figures.push(...(await measureOne(bench, setting)).map(judge));
    }
    return figures;
  } finally {
    await system.stop();
  }
};

/** Each on a system of its own, so that none pays for what another has stored; all on one when it has to be quick. */
const measureAll = async (chosen: Bench[]): Promise<Judged[]> => {
  const generator = startChild<LoadSpec, LoadReport>('./load/main.js');
  const send: Load = async (url, apiKey, spec) => {
    const report = await generator.ask({ ...spec, url, apiKey });
    assertAccepted(report);
    return report;
  };
  try {
    if (values.quick) return await measureTogether(chosen, send);
    const figures: Judged[] = [];
    for (const bench of chosen) figures.push(...(await measureTogether([bench], send)));
    return figures;
  } finally {
    await generator.stop();
  }
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
const figures = await measureAll(chosen);
const file = keep(figures);
console.log(
  `\n${table(figures)}\n\n${cpus().length} cores; ${runs} runs of ${seconds} s; all figures in ${file}`,
);
writeTotals(figures);
process.exitCode = figures.some(({ verdict }) => verdict === 'NOT MET') && !values.quick ? 1 : 0;
