// MongoDB is lost under load, then MongoDB and Redis: the steps of docs/runbook.md, run line by line. What the page says is lost is lost, and nothing else; deleted people stay deleted.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Book, openBook } from '../harness/book.ts';
import { createCaller } from '../harness/caller.ts';
import { compare, differences } from '../harness/compare.ts';
import { createDice } from '../harness/dice.ts';
import { unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendStory } from '../harness/load.ts';
import { jobsInFlight } from '../harness/queue-state.ts';
import { countRows } from '../harness/rows.ts';
import { tallyOf } from '../harness/stored.ts';
import { type Chapter, expected, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { until } from '../harness/wait.ts';
import { afterBackup, beforeBackup, goneFound, planOfAgain, waiting } from './restore/leavers.ts';
import { type Entry, pointInTime, replayOplog, saveOplog } from './restore/oplog.ts';
import { createSteps, type Steps, stepsOf } from './restore/steps.ts';

interface How {
  /** Steps that are left out. */
  without?: RegExp;
}

type Moment = Awaited<ReturnType<typeof pointInTime>>;

interface World {
  system: System;
  steps: Steps;
  book: Book<Chapter>;
  send(count: number): Promise<void>;
  backup: string;
  erasures: string;
}

const pace = { perSecond: 150, hands: 8 };

/** An emptied Redis has retention begin at once, which rolls up what is old. */
const atPresent = ({ key, body }: Chapter): Chapter => {
  const time = new Date().toISOString();
  const [events, purchases] = [body.events, body.purchases].map((all) =>
    all.map((one) => ({ ...one, time })),
  );
  return { key, body: { ...body, events: events ?? [], purchases: purchases ?? [] } };
};

const open = async (trial: Trial): Promise<World> => {
  const system = await trial.system({ services: ['ingress', 'track', 'identity', 'export'] });
  const [backup, erasures] = [join(system.dir, 'backup'), join(system.dir, 'erasures.ndjson')];
  const book = openBook<Chapter>();
  const story = tellStory(createDice(54), 1_000).map(atPresent);
  const send = async (count: number) => {
    const { accepted } = await sendStory(system, story.splice(0, count), pace);
    for (const [chapter, id] of accepted) book.accepted.set(chapter, id);
  };
  const steps = createSteps(system, { BACKUP: backup, ERASURES: erasures });
  return { system, steps, book, send, backup, erasures };
};

/** Of accepted requests, those with a mark. */
const markedOf = async ({ system, book }: World): Promise<Set<string>> => {
  const ids = [...book.accepted.values()];
  const found = system.mongo.collection<{ _id: string }>('requests').find({ _id: { $in: ids } });
  return new Set((await found.toArray()).map(({ _id }) => _id));
};

/** A copy of the files of the stopped member, while requests go on. */
const takeBackup = async ({ system, send, backup }: World): Promise<void> => {
  const sending = send(150);
  await system.part('mongod').end('SIGTERM');
  mkdirSync(backup);
  cpSync(join(system.dir, 'data/mongo'), backup, { recursive: true });
  await system.part('mongod').start();
  await sending;
};

const lose = async ({ system }: World, name: string, folder: string): Promise<void> => {
  await system.part(name).end('SIGKILL');
  const data = join(system.dir, 'data', folder);
  rmSync(data, { recursive: true });
  mkdirSync(data);
};

interface Restored {
  /** Requests in the backup. */
  backup: Set<string>;
  /** Requests that are applied after the oplog was replayed: the same without one. */
  point: Set<string>;
}

/** Runs the steps of the section. As soon as MongoDB serves, the oplog goes on from the backup. */
const restore = async (
  world: World,
  section: string,
  { without }: How,
  oplog: Entry[] = [],
): Promise<Restored> => {
  const lines = stepsOf(section);
  if (lines.length < 8) throw new Error(`docs/runbook.md has ${lines.length} steps under "${section}"`);
  const restored: Restored = { backup: new Set(), point: new Set() };
  for (const line of lines) {
    if (without?.test(line)) continue;
    await world.steps.run(line);
    if (line !== 'start mongod') continue;
    restored.backup = await markedOf(world);
    await replayOplog(world.steps.mongoUrl, oplog);
    restored.point = await markedOf(world);
  }
  return restored;
};

/** Exactly these requests have an effect, each once. */
const judge = async (world: World, kept: ReadonlySet<string>, when: string): Promise<string[]> => {
  const { system, book } = world;
  const late = await unfinished(system, 60_000);
  const chapters = [...book.accepted].filter(([, id]) => kept.has(id)).map(([chapter]) => chapter);
  const found = await goneFound(system.client);
  const arrivals = async () => (await countRows(system.mongo, 'events', { name: /^arrival-/ })) === 0;
  const isSwept = found > 0 || (await until(30_000, arrivals)) !== undefined;
  return [
    ...late,
    ...differences(compare(expected(chapters), await tallyOf(system.mongo))),
    ...(found > 0 ? [`${found} deleted people are there again`] : []),
    ...(isSwept ? [] : ['events of deleted people are there again']),
  ].map((sentence) => `${when}: ${sentence}`);
};

const without = (all: Iterable<string>, some: ReadonlySet<string>): Set<string> =>
  new Set([...all].filter((id) => !some.has(id)));

/** Some requests are applied after the backup and before this moment, and some after it. */
const momentUnderLoad = async ({ system, steps, send }: World): Promise<Moment> => {
  const applied = () => system.mongo.collection('requests').countDocuments();
  const before = await applied();
  const sending = send(150);
  await until(60_000, async () => (await applied()) >= before + 20);
  const moment = await pointInTime(steps.mongoUrl);
  await sending;
  await send(50);
  return moment;
};

const loseMongo = async (world: World, how: How): Promise<Findings> => {
  const { system, book, send } = world;
  const caller = createCaller(system.client, 'restore');
  await beforeBackup(caller);
  await send(150);
  await takeBackup(world);
  const moment = await momentUnderLoad(world);
  await afterBackup(caller);
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  await send(100);
  await caller.post('/users/track', waiting);
  const appliedBefore = await markedOf(world);
  const oplog = await saveOplog(world.steps.mongoUrl, moment);
  await lose(world, 'mongod', 'mongo');
  const { backup, point } = await restore(world, 'MongoDB is lost', how, oplog);
  const waited = without(book.accepted.values(), appliedBefore);
  const lost = without(appliedBefore, point);
  const broken = await judge(world, new Set([...point, ...waited]), 'MongoDB lost');
  const again = await planOfAgain(system.client);
  if (again !== 'new') broken.push(`who came back after the deletion has the plan ${again}`);
  const counts = {
    'in the backup': backup.size,
    'at the point in time': point.size,
    lost: lost.size,
    waited: waited.size,
  };
  if (lost.size === 0 || waited.size < 100 || point.size <= backup.size)
    broken.push(`nothing was tried: ${JSON.stringify(counts)}`);
  return { figures: { accepted: book.accepted.size, ...counts }, broken };
};

const loseBoth = async (world: World, how: How): Promise<Findings> => {
  const { system, steps, send, erasures } = world;
  writeFileSync(erasures, await steps.run('roster erasures list'));
  await send(50);
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  await send(50);
  await lose(world, 'mongod', 'mongo');
  await lose(world, 'redis', 'redis');
  const { backup } = await restore(world, 'Redis and MongoDB are lost', how);
  const broken = await judge(world, backup, 'both lost');
  if ((await jobsInFlight(system.redis)) > 0) broken.push('something waits in the new Redis');
  return { figures: { 'left when both are lost': backup.size }, broken };
};

const attempt = async (trial: Trial, how: How): Promise<Findings> => {
  const world = await open(trial);
  const first = await loseMongo(world, how);
  if (first.broken.length > 0) return first;
  const second = await loseBoth(world, how);
  return { figures: { ...first.figures, ...second.figures }, broken: [...first.broken, ...second.broken] };
};

export const restoring = faultOf(
  attempt,
  {},
  { without: /^roster erasures replay/ },
  {
    name: 'restore',
    title:
      'MongoDB is lost, then Redis too, and the steps of the runbook are run: what it says is lost and nothing else, deleted people stay deleted',
    without: 'the replay of erasures',
    breaks: /MongoDB lost: \d+ deleted people are there again/,
  },
);
