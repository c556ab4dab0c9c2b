// T14, a deployment is not an accident: each process is asked to stop in turn while all of them have work, and another takes its place.
import { services } from '@roster/local-stack';
import { openBook } from '../harness/book.ts';
import { type Answer, type Client, isAccepted } from '../harness/client.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { few } from '../harness/identity-invariants.ts';
import { sendAgain, sendDuring } from '../harness/load.ts';
import { createPace } from '../harness/pace.ts';
import type { Preload } from '../harness/preload.ts';
import { countStalls } from '../harness/stalls.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';
import { type Asked, people, type Work, works } from './works.ts';

/** What Kubernetes and the local stack allow. */
const mostMs = 25_000;
const conversationsPerSecond = 8;
const patienceMs = 45_000;

/** What all conversations share. */
interface Scene {
  system: System;
  /** The process that is being replaced just now. */
  leaving: string;
  over: boolean;
  wrong: string[];
  again: number;
  /** How long each process took to stop, and what is wrong with that. */
  stops: number[];
  badStops: string[];
}

/** Small conversations, each with an effect of its own that can be counted. */
interface Talk {
  by: Client;
  name: string;
  /** The n-th: each request follows the answer to the one before. */
  requests(n: number): Asked[];
  /** What is wrong with the effects of the first `count`. */
  judge(count: number): Promise<string[]>;
}

const talkAbout = async (system: System, name: string, work: Work): Promise<Talk> => ({
  by: (await work.by?.(system)) ?? system.client,
  name,
  requests(n) {
    const one = `${name}-${n}`;
    const reads = work.reads ? [work.reads(one)] : [];
    return [...(work.isAboutPeople ? [people([one])] : []), work.request(one), ...reads];
  },
  judge: (count) => work.judge(system, name, count),
});

/** A workspace may have few integrations: one is renamed and read again. */
const talkOfIntegrations = async (system: System): Promise<Talk> => {
  const { by, request } = works.integrations;
  const client = await by(system);
  const made = await client.call(request('first'));
  if (!isAccepted(made)) throw new Error(`an integration was answered ${made.status}: ${made.body}`);
  const path = `/cdi/integrations/${JSON.parse(made.body).integration_id}`;
  return {
    by: client,
    name: 'integrations',
    requests: (n) => [
      { path, method: 'PATCH', body: { integration_name: `name-${n}` } },
      { path, method: 'GET', shows: `"name-${n}"` },
    ],
    async judge(count) {
      const name = `name-${Math.max(0, count - 1)}`;
      const found = await system.mongo.collection('integrations').countDocuments({ name });
      return found === 1 ? [] : [`${found} integrations have the name ${name}, not 1`];
    },
  };
};

/** The load of track is the story. */
const talksOf = async (system: System): Promise<Talk[]> => {
  const { track: _, integrations: __, ...rest } = works;
  const talks = Object.entries(rest).map(([name, work]) => talkAbout(system, name, work));
  return Promise.all([...talks, talkOfIntegrations(system)]);
};

/** 503 asks to come again. No answer at all is right only while the ingress is replaced. */
const judgeAnswer = (asked: Asked, answer: Answer, ingressLeft: boolean): string[] => {
  if (isAccepted(answer))
    return asked.shows === undefined || answer.body.includes(asked.shows)
      ? []
      : [`the answer to ${asked.path} does not show ${asked.shows}`];
  if (answer.status === 503) return [];
  return answer.status === 0 && ingressLeft ? [] : [`${asked.path} was answered ${answer.status}`];
};

/** The same request until it is answered with anything but 503. */
const ask = async (scene: Scene, { call }: Client, asked: Asked, key: string): Promise<void> => {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(200)) {
    const leftBefore = scene.leaving === 'ingress';
    const answer = await call({ ...asked, idempotencyKey: key, timeoutMs: 20_000 });
    scene.wrong.push(...judgeAnswer(asked, answer, leftBefore || scene.leaving === 'ingress'));
    if (answer.status >= 200 && answer.status < 500) return;
    scene.again++;
  }
  scene.wrong.push(`${asked.path} was answered 503 for ${patienceMs / 1_000} s`);
};

/** Gives the number of conversations, all of which were led to their end. */
const converse = async (scene: Scene, { name, requests, by }: Talk): Promise<number> => {
  const pace = createPace(conversationsPerSecond);
  let n = 0;
  for (; !scene.over; n++) {
    await pace();
    for (const [i, asked] of requests(n).entries()) await ask(scene, by, asked, `${name}-${n}-${i}`);
  }
  return n;
};

const replace = async ({ system, stops, badStops }: Scene, name: string): Promise<void> => {
  const began = performance.now();
  const code = await system.part(name).end('SIGTERM');
  const ms = performance.now() - began;
  stops.push(ms);
  if (code !== 0) badStops.push(`${name} ended with ${code}`);
  if (ms > mostMs) badStops.push(`${name} took ${ms.toFixed(0)} ms to stop`);
  await system.part(name).start();
};

const replaceAll = async (scene: Scene, rounds: number): Promise<void> => {
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
  const scene: Scene = { system, leaving: '', over: false, wrong: [], again: 0, stops: [], badStops: [] };
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
