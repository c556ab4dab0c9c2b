// The load while processes are replaced, the story and all conversations, and whether all of it took effect.
import { openBook } from '../../harness/book.ts';
import { createDice } from '../../harness/dice.ts';
import { judgeStory, unfinished } from '../../harness/effects.ts';
import { few } from '../../harness/identity-invariants.ts';
import { type Pace, sendAgain, sendDuring } from '../../harness/load.ts';
import { type Chapter, tellStory } from '../../harness/story.ts';
import { converse, type Scene, talksOf } from './conversations.ts';

export interface Load extends Pace {
  seed: number;
  /** How long what is accepted may be under way at the end. */
  lateMs: number;
}

/** `replace` ends the load. */
export const lead = async (scene: Scene, { seed, lateMs, ...pace }: Load, replace: () => Promise<void>) => {
  const { system, isStrict, wrong } = scene;
  const talks = await talksOf(system);
  const replacing = replace().finally(() => {
    scene.over = true;
  });
  const book = openBook<Chapter>();
  const telling = sendDuring(system, book, tellStory(createDice(seed), 20_000), pace, replacing);
  const counts = await Promise.all(talks.map((talk) => converse(scene, talk)));
  const unknown = await telling;
  if (isStrict && unknown.length > 0)
    wrong.push(`${unknown.length} requests of the story were refused, the last with ${book.lastly}`);
  await sendAgain(system, book, unknown);
  const late = await unfinished(system, lateMs);
  const { broken } = await judgeStory(system, book.accepted);
  for (const [n, talk] of talks.entries()) broken.push(...(await talk.judge(counts[n] ?? 0)));
  const figures = {
    accepted: book.accepted.size,
    conversations: counts.reduce((sum, count) => sum + count, 0),
  };
  return { figures, broken: [...late, ...broken, ...few(wrong)] };
};
