// Live activities that five callers update at once while everything is killed: each ends with its newest content, nothing comes after a later one.
import { type Apns, apnsEnv, appWith, openApns, type Told, tokenOf } from '../harness/apns.ts';
import { createCaller } from '../harness/caller.ts';
import { killAlong } from '../harness/chaos.ts';
import { stampOf } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { eachOf, patienceOf, until } from '../harness/wait.ts';

const sizes = {
  full: { activities: 1_000, updates: 20, kills: 12 },
  quick: { activities: 80, updates: 8, kills: 4 },
};

const callers = 5;

/** Then APNs has no time for it. */
const busyEvery = 17;

/** Of every second activity this update ends it; the others go on. */
const endsAt = (updates: number): number => Math.ceil(updates * 0.7);

/** An accepted update. Its number is one of its own. */
interface Update {
  activity: number;
  n: number;
  stamp: number;
  isEnd: boolean;
}

const named = (activity: number) => ({ app_id: 'app', activity_id: `activity-${activity}` });

/** In the order of acceptance: the newest, or the end and nothing behind it. */
const expectedOf = (updates: readonly Update[]): Update[] => {
  const sorted = updates.toSorted((a, b) => a.stamp - b.stamp);
  const end = sorted.findIndex(({ isEnd }) => isEnd);
  return end < 0 ? sorted : sorted.slice(0, end + 1);
};

/** A kill leaves so many activities to be sent once more. */
const underWay = 128;

const judgeOne = (told: readonly Told[], expected: readonly Update[]): string[] => {
  const place = new Map(expected.map(({ n }, i) => [n, i]));
  const places = told.map((n = -1) => place.get(n) ?? -1);
  return [
    ...(told.at(-1) === expected.at(-1)?.n ? [] : ['end with other content than the newest']),
    ...(places.includes(-1) ? ['were told something after their end'] : []),
    ...(places.some((at, i) => at < (places[i - 1] ?? 0))
      ? ['were told something after a later update']
      : []),
  ];
};

const judge = async (
  { mongo }: System,
  { told }: Apns,
  accepted: readonly Update[],
  kills: number,
): Promise<string[]> => {
  const counts = new Map<string, number>();
  let twice = 0;
  for (const activity of new Set(accepted.map((one) => one.activity))) {
    const updates = accepted.filter((one) => one.activity === activity);
    const got = told.get(tokenOf(activity)) ?? [];
    twice += got.length - new Set(got).size;
    for (const what of judgeOne(got, expectedOf(updates))) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const open = await mongo.collection('activities').countDocuments({ due: { $exists: true } });
  const outcomes = await mongo
    .collection<{ op: string; state: string; reason?: string }>('requests')
    .countDocuments({ op: 'messages.live_activity.update', state: 'applied' });
  return [
    ...[...counts].map(([what, n]) => `${n} activities ${what}`),
    ...(twice > underWay * kills ? [`${twice} updates came more than once`] : []),
    ...(open > 0 ? [`${open} activities are not sent yet`] : []),
    ...(outcomes === accepted.length ? [] : [`${outcomes} of ${accepted.length} updates have an outcome`]),
  ];
};

const attempt = async (trial: Trial, sender: string): Promise<Findings> => {
  const { activities, updates, kills: wanted } = sizes[trial.quick ? 'quick' : 'full'];
  const apns = await trial.opened(openApns(busyEvery));
  const system = await trial.system({
    services: ['ingress', 'track', 'messaging', 'sender'],
    workers: { sender: 2 },
    instead: { sender },
    env: apnsEnv,
  });
  const client = await system.newWorkspace('shows', { apps: [appWith(apns)] });
  const { post } = createCaller(client, 'shows');
  const numbers = Array.from({ length: activities }, (_, n) => n);
  await eachOf(numbers, 16, async (n) => {
    await post('/messages/live_activity/register', { ...named(n), push_token: tokenOf(n) });
  });

  const accepted: Update[] = [];
  const all = Array.from({ length: activities * updates }, (_, n) => n);
  const update = async (n: number): Promise<void> => {
    const activity = n % activities;
    const isEnd = activity % 2 === 1 && Math.floor(n / activities) === endsAt(updates);
    const body = { ...named(activity), content_state: { n }, ...(isEnd && { end_activity: true }) };
    const { id } = await post('/messages/live_activity/update', body);
    accepted.push({ activity, n, isEnd, stamp: stampOf(id) });
  };
  const [first = '', second = ''] = system.processesOf('sender');
  const victims = [first, 'mongod', second, 'redis', first, second];
  const killing = killAlong(system, victims, wanted, () => accepted.length / all.length);
  await eachOf(all, callers, update);
  const kills = await killing;
  const isSent = async () =>
    (await system.mongo.collection('activities').countDocuments({ due: { $exists: true } })) === 0;
  await until(patienceOf(trial, 120_000), isSent, 100);
  const figures = { updates: accepted.length, kills, 'came to APNs': apns.count() };
  return { figures, broken: await judge(system, apns, accepted, kills) };
};

export const activities = faultOf(attempt, ['sender-impatient', 'sender-grabbing'], {
  name: 'activities',
  title:
    'live activities, updated by five callers while workers, Redis and MongoDB are killed: in order, each ends with the newest content, nothing after its end',
  without: 'an activity that is being sent is taken by others too',
  breaks: /came more than once|after a later update/,
});
