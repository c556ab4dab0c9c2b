// A broadcast on a machine that has other work, with a MongoDB that takes its time for each answer: some get it in every minute.
import { startMongo } from '@roster/local-stack';
import { openLine } from '@roster/testkit';
import { startBusyLoops } from '../harness/busy-loops.ts';
import { createCaller, trackAll } from '../harness/caller.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { until } from '../harness/wait.ts';
import { schedulesOf } from './sends/plant.ts';
import { openReceiver, webhooksHere } from './sends/receiver.ts';

const sizes = { full: 20_000, quick: 2_000 };
/** A transaction of a turn has six answers and more. */
const slowerMs = 400;
const minuteMs = 60_000;
const mostMinutes = 60;

const sendsOf = ({ mongo }: System) => mongo.collection<{ state: string; tries: number }>('sends');

/** How many got it in each minute, until all have or nobody does. */
const watch = async (system: System, told: ReadonlyMap<string, number>): Promise<number[]> => {
  const isOver = async () => (await schedulesOf(system).countDocuments({ state: 'sent' })) === 1;
  const minutes: number[] = [];
  while (minutes.length < mostMinutes) {
    const before = told.size;
    const over = await until(minuteMs, isOver, 200);
    if (over !== undefined) break;
    minutes.push(told.size - before);
    if (told.size === before) break;
  }
  return minutes;
};

const judge = async (system: System, told: ReadonlyMap<string, number>, people: number) => {
  const broken: string[] = [];
  const sent = await sendsOf(system).countDocuments({ state: 'sent', tries: 1 });
  if (sent !== people) broken.push(`${sent} of ${people} rows are sent, at their first try`);
  if (told.size !== people) broken.push(`${told.size} of ${people} were told`);
  const twice = [...told.values()].filter((times) => times > 1).length;
  if (twice > 0) broken.push(`${twice} were told twice`);
  return broken;
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const people = sizes[trial.quick ? 'quick' : 'full'];
  const server = await startMongo({ dir: trial.folder() });
  trial.atEnd(server.stop);
  const slow = await openLine(new URL(server.url), slowerMs);
  trial.atEnd(slow.cut);
  const receiver = await trial.opened(openReceiver());
  const system = await trial.system({
    services: ['ingress', 'track', 'messaging', 'sender'],
    mongo: { url: server.url },
    processEnv: { sender: { MONGO_URL: `mongodb://127.0.0.1:${slow.port}/roster?directConnection=true` } },
    instead,
  });
  const caller = createCaller(await system.newWorkspace('news', webhooksHere), 'busy');
  const attributes = Array.from({ length: people }, (_, n) => ({ external_id: `r${n}`, plan: 'gold' }));
  await trackAll(caller, attributes);
  trial.atEnd(startBusyLoops());
  const began = performance.now();
  const body = `{{\${user_id}}}`;
  await caller.post('/messages/schedule/create', {
    broadcast: true,
    audience: { custom_attribute: { custom_attribute_name: 'plan', comparison: 'equals', value: 'gold' } },
    schedule: { time: new Date().toISOString() },
    messages: { webhook: { url: receiver.url, request_method: 'POST', body } },
  });
  const minutes = await watch(system, receiver.counts);
  const seconds = (performance.now() - began) / 1_000;
  const stood = minutes.at(-1) === 0;
  const broken = stood ? ['nobody got it for a minute'] : await judge(system, receiver.counts, people);
  return { figures: { people, seconds: seconds.toFixed(1), minutes: minutes.join(' ') }, broken };
};

export const busySends = faultOf(attempt, [{}, { sender: 'sender-hurried' }], {
  name: 'busy-sends',
  title:
    'a broadcast to 20,000 beside four busy loops, with a MongoDB whose every answer takes 0.4 s: some get it in each minute, everybody once',
  without: 'turns that shrink where a transaction takes too long',
  breaks: /nobody got it for a minute/,
  limitMinutes: mostMinutes + 15,
});
