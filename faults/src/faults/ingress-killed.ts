// The ingress dies again and again under load. Callers who had no answer ask again with the same key, as the interface tells them to.
import { openBook } from '../harness/book.ts';
import { killTimes } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendAgain, sendDuring } from '../harness/load.ts';
import type { Preload } from '../harness/preload.ts';
import { type Chapter, tellStory } from '../harness/story.ts';

const attempt = async (trial: Trial, preload?: Preload): Promise<Findings> => {
  const system = await trial.system(preload && { preload });
  const book = openBook<Chapter>();
  const killing = killTimes(system, 'ingress', trial.quick ? 3 : 20, 1_000);
  const story = tellStory(createDice(42), 50_000);
  const unknown = await sendDuring(system, book, story, { perSecond: 200, hands: 32 }, killing);
  const kills = await killing;
  await sendAgain(system, book, unknown);
  const late = await unfinished(system, 60_000);
  const { comparison, broken } = await judgeStory(system, book.accepted);
  const figures = { accepted: book.accepted.size, kills, 'sent again': unknown.length };
  return { figures: { ...figures, ...comparison }, broken: [...late, ...broken] };
};

export const ingressKilled = faultOf(attempt, undefined, 'without-keys', {
  name: 'ingress-killed',
  title:
    'the ingress is killed again and again, callers ask again with their keys: everything is applied once',
  without: 'keys: the ingress ignores them',
  breaks: /stored twice/,
});
