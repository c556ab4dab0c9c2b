// Small conversations of all kinds, led while processes are replaced: each request has an effect of its own that can be counted.
import { type Answer, type Client, isAccepted } from '../../harness/client.ts';
import { createPace } from '../../harness/pace.ts';
import type { System } from '../../harness/system.ts';
import { sleep } from '../../harness/wait.ts';
import { type Asked, people, type Work, works } from '../works.ts';

const patienceMs = 45_000;

/** What all conversations share. */
export interface Scene {
  system: System;
  /** The process that is being replaced just now. */
  leaving: string;
  over: boolean;
  wrong: string[];
  again: number;
  /** Of each kind. */
  conversationsPerSecond: number;
  /** Callers have a balancer before them: a request that is not accepted is wrong, whatever the reason. */
  isStrict?: boolean;
}

export const sceneOf = (system: System, how: Pick<Scene, 'conversationsPerSecond' | 'isStrict'>): Scene => ({
  system,
  leaving: '',
  over: false,
  wrong: [],
  again: 0,
  ...how,
});

/** Small conversations, each with an effect of its own that can be counted. */
export interface Talk {
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
export const talksOf = async (system: System): Promise<Talk[]> => {
  const { track: _, integrations: __, ...rest } = works;
  const talks = Object.entries(rest).map(([name, work]) => talkAbout(system, name, work));
  return Promise.all([...talks, talkOfIntegrations(system)]);
};

/** 503 asks to come again. No answer at all is right only while the ingress is replaced. */
const judgeAnswer = (
  asked: Asked,
  answer: Answer,
  { isStrict, ingressLeft }: { isStrict?: boolean; ingressLeft: boolean },
): string[] => {
  if (isAccepted(answer))
    return asked.shows === undefined || answer.body.includes(asked.shows)
      ? []
      : [`the answer to ${asked.path} does not show ${asked.shows}`];
  if (isStrict) return [`${asked.path} was refused with ${answer.status}: ${answer.body.slice(0, 100)}`];
  if (answer.status === 503) return [];
  return answer.status === 0 && ingressLeft ? [] : [`${asked.path} was answered ${answer.status}`];
};

/** The same request until it is answered with anything but 503. */
const ask = async (scene: Scene, { call }: Client, asked: Asked, key: string): Promise<void> => {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(200)) {
    const leftBefore = scene.leaving === 'ingress';
    const answer = await call({ ...asked, idempotencyKey: key, timeoutMs: 20_000 });
    const ingressLeft = leftBefore || scene.leaving === 'ingress';
    scene.wrong.push(...judgeAnswer(asked, answer, { ...scene, ingressLeft }));
    if (answer.status >= 200 && answer.status < 500) return;
    scene.again++;
  }
  scene.wrong.push(`${asked.path} was answered 503 for ${patienceMs / 1_000} s`);
};

/** Gives the number of conversations, all of which were led to their end. */
export const converse = async (scene: Scene, { name, requests, by }: Talk): Promise<number> => {
  const pace = createPace(scene.conversationsPerSecond);
  let n = 0;
  for (; !scene.over; n++) {
    await pace();
    for (const [i, asked] of requests(n).entries()) await ask(scene, by, asked, `${name}-${n}-${i}`);
  }
  return n;
};
