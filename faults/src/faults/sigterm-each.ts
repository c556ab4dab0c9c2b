// T14, a deployment is not an accident: each process is asked to stop in turn while all of them have work, and another takes its place.
import { services } from '@roster/local-stack';
import { openBook } from '../harness/book.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { few } from '../harness/identity-invariants.ts';
import { sendAgain, sendDuring } from '../harness/load.ts';
import type { Preload } from '../harness/preload.ts';
import { countStalls } from '../harness/stalls.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import { sleep } from '../harness/wait.ts';
import { converse, type Scene, talksOf } from './replacing/conversations.ts';

/** What Kubernetes and the local stack allow. */
const mostMs = 25_000;

interface Stops extends Scene {
  /** How long each process took to stop, and what is wrong with that. */
  stops: number[];
  badStops: string[];
}

const replace = async ({ system, stops, badStops }: Stops, name: string): Promise<void> => {
  const began = performance.now();
  const code = await system.part(name).end('SIGTERM');
  const ms = performance.now() - began;
  stops.push(ms);
  if (code !== 0) badStops.push(`${name} ended with ${code}`);
  if (ms > mostMs) badStops.push(`${name} took ${ms.toFixed(0)} ms to stop`);
  await system.part(name).start();
};

const replaceAll = async (scene: Stops, rounds: number): Promise<void> => {
  const each = services.flatMap(scene.system.processesOf);
  for (const name of Array.from({ length: rounds }, () => each).flat()) {
    await sleep(500);
    scene.leaving = name;
    await replace(scene, name);
    scene.leaving = '';
  }
  await sleep(500);
  scene.over = true;
};

const attempt = async (trial: Trial, preload?: Preload): Promise<Findings> => {
  const instead = {
    track: 'track-in-hand',
    identity: 'identity-impatient',
    subscription: 'subscription-impatient',
  };
  const system = await trial.system({
    services: [...services],
    workers: { track: 2 },
    instead,
    ...(preload && { preload }),
  });
  const talks = await talksOf(system);
  const stalled = countStalls(system.redis);
  trial.atEnd(stalled.close);
  const shared = { system, leaving: '', over: false, wrong: [], again: 0, conversationsPerSecond: 8 };
  const scene: Stops = { ...shared, stops: [], badStops: [] };
  const replacing = replaceAll(scene, trial.quick ? 1 : 5);
  const book = openBook<Chapter>();
  const story = tellStory(createDice(47), 20_000);
  const telling = sendDuring(system, book, story, { perSecond: 40, hands: 8 }, replacing);
  const counts = await Promise.all(talks.map((talk) => converse(scene, talk)));
  await sendAgain(system, book, await telling);
  const late = await unfinished(system, 30_000);
  const { broken } = await judgeStory(system, book.accepted);
  for (const [i, talk] of talks.entries()) broken.push(...(await talk.judge(counts[i] ?? 0)));
  const figures = {
    stops: scene.stops.length,
    'slowest stop ms': Math.max(...scene.stops),
    accepted: book.accepted.size,
    conversations: counts.reduce((sum, count) => sum + count, 0),
    'asked again': scene.again,
    stalls: stalled.stalls(),
  };
  return {
    figures,
    broken: [...late, ...broken, ...few(scene.wrong), ...scene.badStops, ...stalled.broken()],
  };
};

export const sigtermEach = faultOf(attempt, [undefined, 'abrupt'], {
  name: 'sigterm-each',
  title:
    'every process is replaced in turn under mixed load: exit 0, nothing lost or let fall, no answer but 503',
  without: 'the end of what is in hand: exit 0 at once',
  breaks: /jobs were let fall/,
});
