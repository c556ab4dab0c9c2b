// T03 and T04: the power of the whole machine fails under load. kill -9 can't show this: what a dead process wrote survives in the
// kernel's cache. Afterwards the whole system starts on the disk as it is then. The same right after the very first `npm start`: what the stack made
// for itself, its secret above all, is as much on the disk as what it accepted.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Book, openBook, sendUntilAccepted } from '../harness/book.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Fault, type Findings, type Trial, together } from '../harness/fault.ts';
import { sendAgain, sendDuring } from '../harness/load.ts';
import { createLoopDisk, type LoopDisk, loopTrouble } from '../harness/loop-disk.ts';
import { npmStart } from '../harness/npm-start.ts';
import { preloading } from '../harness/preload.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { eachOf, sleep } from '../harness/wait.ts';

const chaptersOf = (cut: number): Chapter[] =>
  tellStory(createDice(cut), 20_000).map((chapter) => ({ ...chapter, key: `cut-${cut}-${chapter.key}` }));

/** All at once, as the power takes them. */
const killAll = (system: System): Promise<unknown> =>
  Promise.all(system.parts.map((name) => system.part(name).end('SIGKILL')));

/** As fast as answers come. */
const pace = { perSecond: 100_000, hands: 50 };

const newDisk = (trial: Trial, disk = createLoopDisk('2G')): LoopDisk => {
  trial.atEnd(disk.remove);
  return disk;
};

/** What the next boot finds; the process that ran the stack is gone by then. */
const rebooted = (trial: Trial, disk: LoopDisk): LoopDisk => {
  const next = newDisk(trial, disk.afterPowerCut());
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
  const failing = async (): Promise<LoopDisk> => {
    await sleep(1_000 + 370 * cut);
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
  const disk = newDisk(trial);
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

/** The power fails so long after the stack has said that it is up. */
const cutAfterStart = async (
  trial: Trial,
  ms: number,
  env: Record<string, string> = {},
): Promise<Findings> => {
  const disk = newDisk(trial);
  const first = await npmStart(disk.dir, env);
  trial.atEnd(first.kill);
  const book = openBook<Chapter>();
  const chapters = tellStory(createDice(46), 100);
  await eachOf(chapters, 10, (chapter) => sendUntilAccepted(first.client, book, chapter));
  await sleep(ms);
  await first.kill();
  const figures = { accepted: book.accepted.size };
  const { dir } = newDisk(trial, disk.afterPowerCut());
  const second = await npmStart(dir).catch((error: Error) => error.message);
  if (typeof second === 'string') return { figures, broken: [`after the power cut ${second}`] };
  trial.atEnd(second.kill);
  const isVoid = second.client.apiKey !== first.client.apiKey;
  const broken = [
    ...(isVoid ? ['the key of the first start is void'] : []),
    ...(await unfinished(second, 60_000)),
    ...(await judgeStory(second, book.accepted)).broken,
  ];
  return { figures, broken };
};

export const firstStart: Fault = {
  name: 'first-start',
  title:
    'the power fails right after the first start: the stack starts again, with its key and all it accepted',
  skip: loopTrouble,
  async run(trial) {
    const soon = await cutAfterStart(trial, 0);
    return trial.quick ? soon : together([soon, await cutAfterStart(trial, 10_000)]);
  },
  control: {
    without: 'writing to the disk: what the stack writes for itself stays in memory',
    breaks: /the stack did not start|is void/,
    run: (trial) => cutAfterStart(trial, 0, preloading('without-sync')),
  },
};
