// T15: the disk under Redis is full, then the one under MongoDB, then both. What can't be written is not acknowledged; a server that
// gives up is started again by the supervisor until there is room.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Book, openBook, sendOnce } from '../harness/book.ts';
import { watchEnds } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendAgain, sendDuring } from '../harness/load.ts';
import { createLoopDisk, type LoopDisk, loopTrouble } from '../harness/loop-disk.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep, until, within } from '../harness/wait.ts';

/** The supervisor's pauses grow while there is no room: the last one may be as long as all before it. */
const healMs = 60_000;

/** It is not started again then, however long the wait. */
const unsupervisedMs = 15_000;

type Disks = Record<'redis' | 'mongo', LoopDisk>;

/** The folder of a stack whose servers have disks of their own. */
const folderOn = (trial: Trial): { dir: string; disks: Disks } => {
  const dir = trial.folder();
  const disks = { redis: createLoopDisk('200M'), mongo: createLoopDisk('900M') };
  mkdirSync(join(dir, 'data'));
  for (const [name, disk] of Object.entries(disks)) {
    trial.atEnd(disk.remove);
    symlinkSync(disk.dir, join(dir, 'data', name));
  }
  return { dir, disks };
};

/** MongoDB writes into room that it has reserved, until a checkpoint needs more. */
const checkpoint = ({ mongo }: System): Promise<unknown> =>
  within(2_000, 'a checkpoint', mongo.admin().command({ fsync: 1 })).catch(() => {});

const fillFor = async (system: System, full: readonly LoopDisk[], ms: number): Promise<void> => {
  const frees = full.map((disk) => disk.fill());
  for (const end = performance.now() + ms; performance.now() < end; await sleep(500))
    await checkpoint(system);
  for (const free of frees) free();
};

/** A request is accepted and applied again: how long that took. */
const heals = async (
  { client, mongo }: System,
  book: Book<Chapter>,
  name: string,
  withinMs: number,
): Promise<number | undefined> => {
  const event = { external_id: 'after', name: `after-${name}`, time: '2025-06-01T12:00:00Z' };
  const chapter = { key: `after-${name}`, body: { attributes: [], events: [event], purchases: [] } };
  const marks = mongo.collection<{ _id: string; state: string }>('requests');
  const isApplied = async (): Promise<boolean> => {
    if (!book.accepted.has(chapter) && !(await sendOnce(client, book, chapter))) return false;
    const mark = await marks.findOne({ _id: book.accepted.get(chapter) ?? '' });
    return mark?.state === 'applied';
  };
  return until(withinMs, isApplied);
};

/** By the name of what is full. */
const phasesOf = ({ redis, mongo }: Disks): Record<string, LoopDisk[]> => ({
  Redis: [redis],
  MongoDB: [mongo],
  both: [redis, mongo],
});

const attempt = async (trial: Trial, supervise: boolean): Promise<Findings> => {
  const { dir, disks } = folderOn(trial);
  const system = await trial.system({ dir, supervise });
  const starts = { redis: watchEnds(system, 'redis'), mongod: watchEnds(system, 'mongod') };
  trial.atEnd(starts.redis.stop);
  trial.atEnd(starts.mongod.stop);
  const book = openBook<Chapter>();
  const unknown: Chapter[] = [];
  const withinMs = supervise ? healMs : unsupervisedMs;
  const figures: Findings['figures'] = {};
  const phases = Object.entries(phasesOf(disks)).slice(0, supervise ? undefined : 1);
  for (const [name, full] of phases) {
    const chapters = tellStory(createDice(44), 2_000).map((told) => ({
      ...told,
      key: `${name}-${told.key}`,
    }));
    const filling = fillFor(system, full, trial.quick ? 4_000 : 20_000);
    unknown.push(...(await sendDuring(system, book, chapters, { perSecond: 60, hands: 16 }, filling)));
    const ms = await heals(system, book, name, withinMs);
    if (ms === undefined)
      return {
        figures,
        broken: [`not healed ${withinMs / 1_000} s after the disk of ${name} had room again`],
      };
    figures[`healed ms, ${name}`] = ms;
  }
  await sendAgain(system, book, unknown);
  const late = await unfinished(system, 60_000);
  const { comparison, broken } = await judgeStory(system, book.accepted);
  if (starts.redis.ends() === 0) broken.push('Redis never noticed that its disk was full');
  Object.assign(figures, {
    accepted: book.accepted.size,
    'without an answer': unknown.length,
    'starts of Redis': starts.redis.ends(),
    'starts of mongod': starts.mongod.ends(),
  });
  return { figures: { ...figures, ...comparison }, broken: [...late, ...broken] };
};

export const diskFull = faultOf(attempt, [true, false], {
  name: 'disk-full',
  title:
    'the disk of Redis, of MongoDB, of both is full for a while: nothing acknowledged is lost, all heals',
  skip: loopTrouble,
  without: 'a supervisor that starts servers again',
  breaks: /^not healed/,
});
