// Thousands of schedules due in the same second, and a worker killed in the middle: each fires once, all of them within seconds.
import { createCaller } from '../harness/caller.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';
import { plant, schedulesOf, untilOver } from './sends/plant.ts';
import { openReceiver, webhooksHere } from './sends/receiver.ts';

const sizes = { full: 10_000, quick: 500 };

/** Time to write them down before they are due. */
const aheadMs = 8_000;

/** The bound: after so long none of them waits any more. */
const mostMs = 5_000;

const judge = async (system: System, counts: ReadonlyMap<string, number>, n: number): Promise<string[]> => {
  const broken: string[] = [];
  const of = (name: string) => system.mongo.collection<{ _id: string; state: string }>(name);
  const sent = await schedulesOf(system).countDocuments({ state: 'sent' });
  if (sent !== n) broken.push(`${sent} of ${n} schedules are over`);
  const deliveries = await of('deliveries').countDocuments({});
  if (deliveries !== n) broken.push(`${deliveries} deliveries of ${n} schedules`);
  const rows = await of('sends').find({}).toArray();
  if (rows.length !== n) broken.push(`${rows.length} recipients of ${n} schedules`);
  const open = rows.filter(({ state }) => state !== 'sent' && state !== 'unknown').length;
  if (open > 0) broken.push(`${open} recipients are neither sent nor unknown`);
  const twice = [...counts.values()].filter((times) => times > 1).length;
  if (twice > 0) broken.push(`${twice} schedules were sent twice`);
  const said = rows.filter(({ state }) => state === 'sent').length;
  if (counts.size < said) broken.push(`${said - counts.size} are said to be sent and never came`);
  return broken;
};

const attempt = async (trial: Trial, main: string): Promise<Findings> => {
  const n = sizes[trial.quick ? 'quick' : 'full'];
  const system = await trial.system({
    services: ['ingress', 'track', 'messaging', 'sender'],
    workers: { sender: 2 },
    instead: { track: 'track-impatient', sender: main },
  });
  const receiver = await trial.opened(openReceiver());
  const client = await system.newWorkspace('planner', webhooksHere);
  const due = new Date(Date.now() + aheadMs);
  const all = Array.from({ length: n }, (_, i) => ({ id: `planted-${i}`, body: `s${i}`, due }));
  await plant(system, createCaller(client, 'due'), receiver.url, all);
  await sleep(due.getTime() - Date.now() + 300);
  const [victim] = system.processesOf('sender');
  if (victim === undefined) throw new Error('no process that sends');
  await system.part(victim).end('SIGKILL');
  const isFired = async () => (await schedulesOf(system).countDocuments({ state: 'waiting' })) === 0;
  const fired = await until(20_000, isFired);
  const firedMs = Date.now() - due.getTime();
  if (fired === undefined)
    return { figures: { schedules: n, firedMs }, broken: [`some have not fired after ${firedMs} ms`] };
  await untilOver(system, 120_000);
  const broken = await judge(system, receiver.counts, n);
  if (firedMs > mostMs) broken.push(`the last one fired after ${(firedMs / 1000).toFixed(1)} s`);
  const unknown = await system.mongo.collection('sends').countDocuments({ state: 'unknown' });
  const lastMs = receiver.lastAt() - due.getTime();
  return { figures: { schedules: n, firedMs, lastMs, unknown }, broken };
};

export const dueAtOnce = faultOf(attempt, ['sender-impatient', 'sender-sleepy'], {
  name: 'due-at-once',
  inPairs: true,
  title: 'thousands of schedules due in the same second and a worker killed: each fires once, all within 5 s',
  timing: /^the last one fired after/,
  without: 'a look for what is due every two minutes',
  breaks: /some have not fired after/,
});
