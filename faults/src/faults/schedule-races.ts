// Changes and cancellations of schedules at the moment at which they fire: the old message, or the new one, or none; never both, never the wrong one.
import { createCaller } from '../harness/caller.ts';
import { type Answer, type Client, requestIdOf } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';
import { type Planted, plant, untilOver } from './sends/plant.ts';
import { openReceiver, webhooksHere } from './sends/receiver.ts';

const sizes = { full: 1_000, quick: 300 };

/** Time to write them down before the first one is due, and from one to the next. */
const aheadMs = 8_000;
const apartMs = 10;

/** A change is sent from so long before the moment to a little after it: the service looks four times in a second. */
const earliestMs = 250;
const latestMs = 50;

/** The time of a change. */
const laterMs = 4_000;

interface Stopped {
  schedule: string;
  counts: { sent: number };
}

interface Race extends Planted {
  /** Every second one is cancelled. */
  isUpdate: boolean;
  newBody: string;
}

const racesOf = (n: number, first: number): Race[] =>
  Array.from({ length: n }, (_, i) => ({
    id: `race-${i}`,
    body: `old${i}`,
    newBody: `new${i}`,
    due: new Date(first + i * apartMs),
    isUpdate: i % 2 === 0,
  }));

const requestOf = ({ id: schedule_id, isUpdate, newBody }: Race, url: string) =>
  isUpdate
    ? {
        path: '/messages/schedule/update',
        body: {
          schedule_id,
          schedule: { time: new Date(Date.now() + laterMs).toISOString() },
          messages: { webhook: { url, request_method: 'POST', body: newBody } },
        },
      }
    : { path: '/messages/schedule/delete', body: { schedule_id } };

type Verdict = 'changed' | 'refused';

/** By the status of the answer, or by the state of the request. */
const verdicts: Readonly<Record<string | number, Verdict>> = {
  201: 'changed',
  400: 'refused',
  applied: 'changed',
  failed: 'refused',
};

/** A caller who got 202 asks what became of it. */
const verdictOn = async ({ roster }: Client, answer: Answer): Promise<Verdict> => {
  let told: string | number = answer.status;
  const isSettled = async (): Promise<boolean> => {
    told = (await roster.requests.read(requestIdOf(answer))).state;
    return told in verdicts;
  };
  if (answer.status === 202) await until(120_000, isSettled, 500);
  const verdict = verdicts[told];
  if (!verdict) throw new Error(`a change was answered ${answer.status}, and is ${told}: ${answer.body}`);
  return verdict;
};

const run = async (client: Client, race: Race, url: string): Promise<Verdict> => {
  const from = race.due.getTime() - earliestMs;
  await sleep(Math.max(0, from + Math.random() * (earliestMs + latestMs) - Date.now()));
  return verdictOn(client, await client.call({ ...requestOf(race, url), timeoutMs: 30_000 }));
};

/** A deletion also stops a schedule that is being sent: a message that had left by then has to be counted. By schedule. */
const sentBeforeStop = async ({ mongo }: System): Promise<ReadonlyMap<string, number>> => {
  const deliveries = mongo.collection<Stopped>('deliveries');
  const halted = 'stopped';
  const isOver = async () => (await deliveries.countDocuments({ halted, ended: { $exists: false } })) === 0;
  await until(60_000, isOver, 200);
  const stopped = await deliveries.find({ halted }).toArray();
  return new Map(stopped.map(({ schedule, counts: { sent } }) => [schedule, sent]));
};

/** How often the old and the new message have to come. */
const wantedOf = (
  { id, isUpdate }: Race,
  verdict: Verdict,
  sent: ReadonlyMap<string, number>,
): readonly [old: number, new: number] =>
  verdict === 'refused' ? [1, 0] : isUpdate ? [0, 1] : [sent.get(id) ?? 0, 0];

const judge = (
  races: readonly Race[],
  verdicts: readonly Verdict[],
  { counts, sent }: Record<'counts' | 'sent', ReadonlyMap<string, number>>,
): string[] => {
  const wrong = races.flatMap((race, i) => {
    const verdict = verdicts[i] ?? 'refused';
    const [old, fresh] = [counts.get(race.body) ?? 0, counts.get(race.newBody) ?? 0];
    const [wantedOld, wantedNew] = wantedOf(race, verdict, sent);
    const kind = race.isUpdate ? 'update' : 'delete';
    return old === wantedOld && fresh === wantedNew ? [] : [`${kind} ${verdict}: old ${old}, new ${fresh}`];
  });
  return wrong.length === 0 ? [] : [`${wrong.length} wrong messages, such as ${wrong[0]}`];
};

const attempt = async (trial: Trial, main: string | undefined): Promise<Findings> => {
  const n = sizes[trial.quick ? 'quick' : 'full'];
  const system = await trial.system({
    services: ['ingress', 'track', 'messaging', 'sender'],
    ...(main !== undefined && { instead: { sender: main } }),
  });
  const receiver = await trial.opened(openReceiver());
  const client = await system.newWorkspace('racer', webhooksHere);
  const races = racesOf(n, Date.now() + aheadMs);
  await plant(system, createCaller(client, 'races'), receiver.url, races);
  const verdicts = await Promise.all(races.map((race) => run(client, race, receiver.url)));
  await untilOver(system, 60_000);
  // What was sent last is on its way.
  await sleep(500);
  const sent = await sentBeforeStop(system);
  const changed = verdicts.filter((verdict) => verdict === 'changed').length;
  return {
    figures: { races: n, changed, stopped: sent.size, refused: n - changed },
    broken: judge(races, verdicts, { counts: receiver.counts, sent }),
  };
};

export const scheduleRaces = faultOf(attempt, [undefined, 'sender-hasty'], {
  name: 'schedule-races',
  inPairs: true,
  title:
    'changes and cancellations at the moment at which schedules fire: the old message, the new one, or none',
  without: 'the transaction in which a schedule fires',
  breaks: /wrong messages/,
});
