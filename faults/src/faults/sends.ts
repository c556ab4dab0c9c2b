// A broadcast while everything is killed: every recipient ends in exactly one state, nobody is told twice, nobody who unsubscribed before.
import { type Apns, apnsEnv, appWith, openApns, tokenOf } from '../harness/apns.ts';
import { type Caller, createCaller, trackAll } from '../harness/caller.ts';
import { killAlong } from '../harness/chaos.ts';
import type { Client } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { patienceOf, until } from '../harness/wait.ts';
import { openReceiver, type Receiver } from './sends/receiver.ts';

const sizes = {
  full: { people: 25_000, kills: 24 },
  quick: { people: 900, kills: 3 },
  counting: { people: 450, kills: 3 },
};

const sizeOf = ({ counting, quick }: Trial) => sizes[counting ? 'counting' : quick ? 'quick' : 'full'];

const channels = ['webhook', 'ios_push', 'email', 'content_card'] as const;

/** Every seventh unsubscribes before, and is told that it is accepted. */
const isGone = (n: number): boolean => n % 7 === 0;

const makePeople = (caller: Caller, numbers: readonly number[]): Promise<void> =>
  trackAll(
    caller,
    numbers.map((n) => ({
      external_id: `p${n}`,
      email: `p${n}@example.com`,
      plan: 'gold',
      push_tokens: [{ app_id: 'app', token: tokenOf(n) }],
    })),
  );

/** Accepted, and perhaps not applied when the messages are due. */
const unsubscribe = (caller: Caller, numbers: readonly number[]): Promise<void> =>
  trackAll(
    caller,
    numbers.map((n) => ({ external_id: `p${n}`, email_subscribe: 'unsubscribed' })),
  );

const userId = `{{\${user_id}}}`;

const broadcast = (url: string) => ({
  broadcast: true,
  audience: { custom_attribute: { custom_attribute_name: 'plan', comparison: 'equals', value: 'gold' } },
  schedule: { time: new Date().toISOString() },
  messages: {
    webhook: { url, request_method: 'POST', body: userId },
    ios_push: { alert: userId },
    email: { app_id: 'app', from: 'news@example.com', subject: 'Sale', body: `<p>${userId}</p>` },
    content_card: { type: 'CLASSIC', title: 'Sale', description: userId },
  },
});

interface Details {
  state: string;
  dispatch_id: string;
  results: Partial<Record<(typeof channels)[number], Record<string, number>>>;
}

const detailsOf = async (client: Client, id: string): Promise<Details | undefined> => {
  const { status, body } = await client.call({
    path: `/messages/schedule/${id}`,
    method: 'GET',
    timeoutMs: 5_000,
  });
  return status === 200 ? (JSON.parse(body) as Details) : undefined;
};

const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((all, n) => all + n, 0);

const openIn = ({ waiting = 0, sending = 0 }: Record<string, number>): number => waiting + sending;

const settledIn = ({ results }: Details): number =>
  Object.values(results).reduce((sum, counts) => sum + sumOf(counts) - openIn(counts), 0);

/** How often each person was told, by channel. */
type Came = Record<string, ReadonlyMap<string, number>>;

const cameTo = ({ counts }: Receiver, { told }: Apns): Came => ({
  webhook: counts,
  ios_push: new Map([...told].map(([token, all]) => [`p${Number.parseInt(token, 16)}`, all.length])),
});

/** What came and the rows say, against what the answer says. */
const judge = async (system: System, came: Came, people: number, details: Details): Promise<string[]> => {
  const broken: string[] = [];
  for (const channel of channels) {
    const counts = details.results[channel] ?? {};
    if (sumOf(counts) !== people)
      broken.push(`${channel}: ${sumOf(counts)} of ${people} recipients are in a state`);
    const open = openIn(counts);
    if (open > 0) broken.push(`${channel}: ${open} are still waiting or being sent`);
  }
  const profiles = await system.mongo
    .collection<{ _id: string; external_id: string }>('profiles')
    .find({}, { projection: { external_id: 1 } })
    .toArray();
  const idOf = new Map(profiles.map(({ _id, external_id }) => [_id, external_id]));
  const sends = await system.mongo
    .collection<{ profile: string; channel: string; state: string }>('sends')
    .find({}, { projection: { profile: 1, channel: 1, state: 1 } })
    .toArray();
  const rows = sends.map((row) => ({ ...row, id: idOf.get(row.profile) ?? '' }));
  if (rows.length !== people * channels.length)
    broken.push(`${rows.length} rows for ${people * channels.length} recipients`);
  for (const [channel, counts] of Object.entries(came)) {
    const twice = [...counts.values()].filter((n) => n > 1).length;
    if (twice > 0) broken.push(`${channel}: ${twice} people were told twice`);
    const own = rows.filter((row) => row.channel === channel);
    const state = new Map(own.map(({ id, state }) => [id, state]));
    const untold = [...state].filter(([id, is]) => is === 'sent' && !counts.has(id)).length;
    if (untold > 0) broken.push(`${channel}: ${untold} are said to be sent and never came`);
    const wrong = [...counts.keys()].filter(
      (id) => !['sent', 'unknown'].includes(state.get(id) ?? ''),
    ).length;
    if (wrong > 0) broken.push(`${channel}: ${wrong} came and are said to be neither sent nor unknown`);
  }
  const emails = rows.filter(({ channel, state }) => channel === 'email' && state !== 'skipped');
  const told = emails.filter(({ id }) => isGone(Number(id.slice(1)))).length;
  if (told > 0) broken.push(`${told} were sent an email after they had unsubscribed`);
  return broken;
};

const attempt = async (trial: Trial, settings: object): Promise<Findings> => {
  const { people, kills: wanted } = sizeOf(trial);
  const system = await trial.system({
    services: ['ingress', 'track', 'messaging', 'sender'],
    workers: { sender: 2 },
    instead: { track: 'track-impatient', sender: 'sender-impatient' },
    env: apnsEnv,
  });
  const [receiver, apns] = [await trial.opened(openReceiver()), await trial.opened(openApns())];
  const client = await system.newWorkspace('sender', {
    apps: [appWith(apns)],
    messaging: { webhook_private_hosts: true, ...settings },
  });
  const caller = createCaller(client, 'sends');
  const numbers = Array.from({ length: people }, (_, n) => n);
  await makePeople(caller, numbers);
  if (!(await system.quiet(patienceOf(trial, 120_000)))) throw new Error('the people are not there yet');
  await unsubscribe(caller, numbers.filter(isGone));
  const { body: made } = await caller.post('/messages/schedule/create', broadcast(receiver.url));
  let last: Details | undefined;
  const look = async (): Promise<boolean> => {
    last = (await detailsOf(client, String(made.schedule_id))) ?? last;
    return last?.state === 'sent';
  };
  const progress = (): number => (last ? settledIn(last) : 0) / (people * channels.length);
  const [first = '', second = ''] = system.processesOf('sender');
  const victims = [first, 'mongod', second, first, 'redis', second];
  const ending = until(patienceOf(trial, trial.quick ? 90_000 : 400_000), look);
  const kills = await killAlong(system, victims, wanted, progress, ending);
  const ended = await ending;
  await look();
  const broken =
    ended === undefined || !last
      ? [`it has not ended: it is ${last?.state}`]
      : await judge(system, cameTo(receiver, apns), people, last);
  const counts = last?.results.webhook ?? {};
  return { figures: { recipients: people * channels.length, kills, ...counts }, broken };
};

export const sends = faultOf(attempt, [{}, { resend_unknown: true }], {
  name: 'sends',
  title:
    'a broadcast over four channels while workers, Redis and MongoDB are killed: each recipient in one state, nobody twice, nobody who had unsubscribed',
  without: 'what a dead process may have sent is sent once more',
  breaks: /were told twice/,
  inGate: true,
});
