// The power of the whole machine fails right after the very first `npm start`: what the stack made for itself, its secret above all, is as
// much on the disk as what it accepted.
import { openBook, sendUntilAccepted } from '../harness/book.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { createLoopDisk, loopTrouble } from '../harness/loop-disk.ts';
import { npmStart, type StartedStack } from '../harness/npm-start.ts';
import { preloading } from '../harness/preload.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import { eachOf, sleep } from '../harness/wait.ts';

const judge = async (
  stack: StartedStack,
  apiKey: string,
  accepted: ReadonlyMap<Chapter, string>,
): Promise<string[]> => {
  const broken = stack.apiKey === apiKey ? [] : ['the key of the first start is void'];
  const late = await unfinished(stack, 60_000);
  const effects = await judgeStory(stack, accepted);
  return [...broken, ...late, ...effects.broken];
};

/** The power fails so long after the stack has said that it is up. */
const cutAfter = async (trial: Trial, ms: number, env: Record<string, string>): Promise<Findings> => {
  const disk = createLoopDisk('2G');
  trial.atEnd(disk.remove);
  const first = await npmStart(disk.dir, env);
  trial.atEnd(first.kill);
  const book = openBook<Chapter>();
  const chapters = tellStory(createDice(46), 100);
  await eachOf(chapters, 10, (chapter) => sendUntilAccepted(first.client, book, chapter));
  await sleep(ms);
  await first.kill();
  const cut = disk.afterPowerCut();
  trial.atEnd(cut.remove);
  const figures = { accepted: book.accepted.size };
  const second = await npmStart(cut.dir).catch((error: Error) => error.message);
  if (typeof second === 'string') return { figures, broken: [`after the power cut ${second}`] };
  trial.atEnd(second.kill);
  return { figures, broken: await judge(second, first.apiKey, book.accepted) };
};

export const firstStart: Fault = {
  name: 'first-start',
  title:
    'the power fails right after the first start: the stack starts again, with its key and all it accepted',
  skip: loopTrouble,
  async run(trial) {
    const soon = await cutAfter(trial, 0, {});
    if (trial.quick) return soon;
    const later = await cutAfter(trial, 10_000, {});
    return { figures: later.figures, broken: [...soon.broken, ...later.broken] };
  },
  control: {
    without: 'writing to the disk: what the stack writes for itself stays in memory',
    breaks: /the stack did not start|is void/,
    run: (trial) => cutAfter(trial, 0, preloading('without-sync')),
  },
};
