// A delivery that ends the process that sends it, each time: it is found and given up, and those that shared its turns go out once.
import { createCaller } from '../harness/caller.ts';
import { watchEnds } from '../harness/chaos.ts';
import { type Findings, faultOf, type Trial, together } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { type Planted, plant, schedulesOf, untilOver } from './sends/plant.ts';
import { openReceiver, webhooksHere } from './sends/receiver.ts';

/** With it, and some seconds later. */
const [beside, later] = [12, 6];

const laterMs = 6_000;
const hourMs = 3_600_000;

/** Among all of its lane, among suspects, and three times alone. */
const mostEnds = 5;
const patienceMs = 300_000;

type Kind = 'dies' | 'blocks';

const name = `{{\${user_id}}}`;

const namesIn = (ws: string): string[] => Array.from({ length: beside + later }, (_, n) => `${ws}-${n}`);

const plannedOf = (names: readonly string[]): Planted[] =>
  names.map((id) => ({ id, body: `${id} ${name}`, due: new Date(Date.now() + hourMs) }));

/** However long it took to write them down. */
const makeDue = async (system: System, names: readonly string[], ms: number): Promise<void> => {
  const due = new Date(Date.now() + ms);
  await schedulesOf(system).updateMany(
    { _id: { $in: [...names] } },
    { $set: { due, time: due.toISOString() } },
  );
};

const judge = async (
  system: System,
  counts: ReadonlyMap<string, number>,
  names: readonly string[],
): Promise<string[]> => {
  const broken: string[] = [];
  const of = (times: (n: number) => boolean): number =>
    names.filter((one) => times(counts.get(`${one} ada`) ?? 0)).length;
  const [missing, twice] = [of((n) => n === 0), of((n) => n > 1)];
  if (missing > 0) broken.push(`${missing} of the others were not sent`);
  if (twice > 0) broken.push(`${twice} of the others were told twice`);
  const sent = await schedulesOf(system).countDocuments({ _id: { $in: [...names] }, state: 'sent' });
  if (sent !== names.length) broken.push(`${names.length - sent} schedules of the others are not sent`);
  const rows = await system.mongo.collection<{ state: string }>('sends').find({}).toArray();
  const other = rows.filter(({ state }) => state !== 'sent').length;
  if (other > 0) broken.push(`${other} recipients of the others are not sent`);
  return broken;
};

const play = async (trial: Trial, kind: Kind, main: string): Promise<Findings> => {
  const system = await trial.system({
    services: ['ingress', 'track', 'messaging', 'sender'],
    instead: { track: 'track-impatient', sender: main },
    supervise: true,
  });
  const receiver = await trial.opened(openReceiver());
  const culprit = `culprit-${kind}`;
  const all = { own: namesIn('own'), other: namesIn('other') };
  for (const [ws, names] of Object.entries(all)) {
    const client = await system.newWorkspace(ws, webhooksHere);
    const planted = plannedOf(ws === 'own' ? [culprit, ...names] : names);
    await plant(system, createCaller(client, ws), receiver.url, planted);
  }
  const names = Object.values(all).flat();
  const watched = watchEnds(system, 'sender');
  const latecomers = Object.values(all).flatMap((some) => some.slice(beside));
  await makeDue(system, latecomers, laterMs);
  await makeDue(system, [culprit, ...names.filter((name) => !latecomers.includes(name))], 0);
  const over = await untilOver(system, patienceMs, () => watched.ends() > mostEnds);
  const found = await schedulesOf(system).findOne({ _id: culprit });
  const ends = watched.stop();
  const broken = [
    ...(over === undefined ? [`it is not over: the delivery is ${found?.state}`] : []),
    ...(ends > mostEnds ? [`it has ended ${ends} processes, not ${mostEnds} at most`] : []),
    ...(found?.state === 'failed' ? [] : [`the delivery is ${found?.state}, not failed`]),
    ...(ends > mostEnds ? [] : await judge(system, receiver.counts, names)),
  ];
  await system.stop();
  return {
    figures: { [`${kind} ends`]: ends },
    broken: broken.map((sentence) => `${kind}: ${sentence}`),
  };
};

interface How {
  main: string;
  kinds: readonly Kind[];
}

const attempt = async (trial: Trial, { main, kinds }: How): Promise<Findings> => {
  const all: Findings[] = [];
  for (const kind of kinds) all.push(await play(trial, kind, main));
  return together(all);
};

const proper: How = { main: 'sender-culprits', kinds: ['dies', 'blocks'] };
const forgetful: How = { main: 'sender-culprits-forgetful', kinds: ['dies'] };

export const deadlyDelivery = faultOf(attempt, [proper, forgetful], {
  name: 'deadly-delivery',
  title:
    'a delivery that kills or blocks the process that sends it: it fails after its third end alone, the others go out once',
  without: 'a count of the turns that came to no end',
  breaks: /it has ended \d+ processes/,
});
