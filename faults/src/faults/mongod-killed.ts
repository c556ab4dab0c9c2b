// mongod dies again and again under load: what a worker was told is committed is there afterwards, and nothing is there twice.
import { openBook } from '../harness/book.ts';
import { killTimes } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendDuring } from '../harness/load.ts';
import { type Chapter, tellStory } from '../harness/story.ts';

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const system = await trial.system({ trackWorkers: 2, instead: { track } });
  const book = openBook<Chapter>();
  const killing = killTimes(system, 'mongod', trial.quick ? 3 : 20, 1_500);
  const story = tellStory(createDice(41), 50_000);
  const unknown = await sendDuring(system, book, story, { perSecond: 40, hands: 16 }, killing);
  const kills = await killing;
  const late = await unfinished(system, 60_000);
  const { comparison, broken } = await judgeStory(system, book.accepted);
  if (unknown.length > 0) broken.push(`${unknown.length} requests were refused although only MongoDB died`);
  return { figures: { accepted: book.accepted.size, kills, ...comparison }, broken: [...late, ...broken] };
};

export const mongodKilled = faultOf(attempt, 'track-impatient', 'track-careless', {
  name: 'mongod-killed',
  title:
    'mongod is killed again and again under load: everything accepted is applied once, nobody is refused',
  without: 'the wait for the journal: a commit counts when it is in memory',
  breaks: /of accepted requests are lost/,
});
