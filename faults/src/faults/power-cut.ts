// T03 and T04: the power of the whole machine fails under load. kill -9 can't show this: what a dead process wrote survives in the
// kernel's cache. Afterwards the whole system starts on the disk as it is then.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Book, openBook } from '../harness/book.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { sendAgain, sendDuring } from '../harness/load.ts';
import { createLoopDisk, type LoopDisk, loopTrouble } from '../harness/loop-disk.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';

const chaptersOf = (cut: number): Chapter[] =>
  tellStory(createDice(cut), 20_000).map((chapter) => ({ ...chapter, key: `cut-${cut}-${chapter.key}` }));

/** All at once, as the power takes them. */
const killAll = (system: System): Promise<unknown> =>
  Promise.all(system.parts.map((name) => system.part(name).end('SIGKILL')));

/** As fast as answers come. */
const pace = { perSecond: 100_000, hands: 50 };

/** Of requests that have to be accepted before the power fails, however slow the disk is. */
const fewest = 200;

/** What the next boot finds; the process that ran the stack is gone by then. */
const rebooted = (trial: Trial, disk: LoopDisk): LoopDisk => {
  const next = disk.afterPowerCut();
  trial.atEnd(next.remove);
  rmSync(join(next.dir, 'stack.json'), { force: true });
  return next;
};

interface Site {
  disk: LoopDisk;
  system: System;
}

/** The workers are stopped in one cut, so that all lies in Redis, and work in the next. */
const cutPower = async (
  trial: Trial,
  { disk, system }: Site,
  book: Book<Chapter>,
  cut: number,
  policy: string,
): Promise<Site> => {
  if (cut % 2 === 0) await Promise.all(system.workers.map((worker) => system.part(worker).end('SIGTERM')));
  await system.redis.config('SET', 'appendfsync', policy);
  const accepted = book.accepted.size + fewest;
  const failing = async (): Promise<LoopDisk> => {
    await until(30_000, async () => book.accepted.size >= accepted, 10);
    await sleep(200 + 370 * cut);
    await killAll(system);
    return rebooted(trial, disk);
  };
  const failed = failing();
  const unknown = await sendDuring(system, book, chaptersOf(cut), pace, failed);
  await system.stop();
  const next = await failed;
  const started = await trial.system({ dir: next.dir });
  await sendAgain(started, book, unknown);
  trial.say(`cut ${cut + 1}: ${book.accepted.size} accepted so far, ${unknown.length} of them sent again`);
  return { disk: next, system: started };
};

const attempt = async (trial: Trial, policy: 'always' | 'everysec', cuts: number): Promise<Findings> => {
  const disk = createLoopDisk('2G');
  trial.atEnd(disk.remove);
  let site: Site = { disk, system: await trial.system({ dir: disk.dir }) };
  // What a first start writes is the matter of first-start.
  disk.sync();
  const book = openBook<Chapter>();
  for (let cut = 0; cut < cuts; cut++) site = await cutPower(trial, site, book, cut, policy);
  const late = await unfinished(site.system, 60_000);
  const { comparison, broken } = await judgeStory(site.system, book.accepted);
  return { figures: { cuts, accepted: book.accepted.size, ...comparison }, broken: [...late, ...broken] };
};

export const powerCut: Fault = {
  name: 'power-cut',
  title: 'the power fails under load: started on the disk as it is, the system applies all that was accepted',
  skip: loopTrouble,
  run: (trial) => attempt(trial, 'always', trial.quick ? 2 : 6),
  control: {
    without: 'appendfsync everysec',
    breaks: /of accepted requests are lost/,
    run: (trial) => attempt(trial, 'everysec', trial.quick ? 1 : 3),
  },
};
