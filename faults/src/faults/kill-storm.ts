// Workers that are killed from outside, again and again: the requests at work then are innocent.
import { freeze, keepKilling } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendStory } from '../harness/load.ts';
import { deadLetters } from '../harness/queue-state.ts';
import { tellStory } from '../harness/story.ts';
import { sleep } from '../harness/wait.ts';

const killedEveryMs = 700;

/** A short trial lasts long enough for a request to be at work at several kills, also where workers take seconds to come back. */
const sizes = { full: { chapters: 6_000, perSecond: 60 }, quick: { chapters: 1_200, perSecond: 36 } };

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const system = await trial.system({ trackWorkers: 2, instead: { track } });
  const { chapters: length, perSecond } = sizes[trial.quick ? 'quick' : 'full'];
  const chapters = tellStory(createDice(23), length);
  const stopKilling = keepKilling(system, system.workers, killedEveryMs);
  // What waits for MongoDB is at work for long, and is killed then most often.
  const freezing = sleep(5_000).then(() => freeze(system, 'mongod', 4_000));
  const [book] = await Promise.all([sendStory(system, chapters, { perSecond, hands: 32 }), freezing]);
  const kills = await stopKilling();
  const late = await unfinished(system, 60_000);
  const { comparison, broken } = await judgeStory(system, book.accepted);
  const dead = await deadLetters(system.redis);
  const codes = [...new Set(dead.map(({ code }) => code))].join(', ');
  if (dead.length > 0)
    broken.unshift(`${dead.length} were convicted although their workers were killed from outside: ${codes}`);
  return {
    figures: { accepted: book.accepted.size, kills, 'dead letters': dead.length, ...comparison },
    broken: [...late, ...broken],
  };
};

export const killStorm = faultOf(attempt, 'track-long-at-work', 'track-suspicious', {
  name: 'kill-storm',
  title: 'workers are killed every second, MongoDB stands still meanwhile: nobody is convicted of it',
  // How often workers are killed depends on how soon they come back.
  inPairs: true,
  without: 'the weight of evidence: whatever was at work is convicted',
  breaks: /were convicted although/,
});
