// The workspace whose peers behave: in each round all of its people get four messages, and all of its rows are synced.
import { appleKey } from '@roster/testkit';
import { Client as Postgresql } from 'pg';
import { appWith, openApns } from '../../harness/apns.ts';
import { createCaller, trackAll } from '../../harness/caller.ts';
import type { Trial } from '../../harness/fault.ts';
import { openMailServer } from '../../harness/smtp.ts';
import type { System } from '../../harness/system.ts';
import { until } from '../../harness/wait.ts';
import { openReceiver } from '../sends/receiver.ts';
import { tables } from '../sync/warehouse.ts';
import { broadcastTo, personOf } from './hostile.ts';
import { goodZone } from './names.ts';
import { userId } from './roads.ts';

const goodId = 'good';

const sizes = { people: 50, rows: 1_000 };
const channels = 4;
const patienceMs = 90_000;

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, n) => all + n, 0);

/** They answer at once. */
export const openGoodPeers = async (trial: Trial) => {
  const receiver = await trial.opened(openReceiver());
  const mail = await trial.opened(openMailServer());
  const apns = await trial.opened(openApns());
  const [open] = tables;
  if (!open) throw new Error('there is no PostgreSQL');
  const warehouse = await trial.opened(open(sizes.rows, trial.folder()));
  const counts = () => [
    ...receiver.counts.values(),
    ...[...mail.got.values()].map((all) => all.length),
    ...[...apns.told.values()].map((all) => all.length),
  ];
  return {
    warehouse,
    port: new URL(receiver.url).port,
    came: (): number => sum(counts()),
    env: {
      ...warehouse.env,
      ROSTER_CREDENTIAL_GOOD_APNS: appleKey.key,
      ROSTER_CREDENTIAL_GOOD_SMTP: mail.url,
      ROSTER_CREDENTIAL_GOOD_SMS: JSON.stringify({ url: receiver.url, json: { to: '{to}', text: '{body}' } }),
    },
    settings: {
      messaging: { webhook_private_hosts: true },
      subscription_groups: [{ id: 'texts', name: 'Texts', channel: 'sms' }],
      apps: [
        {
          id: 'app',
          name: 'App',
          channels: {
            ios_push: { ...appWith(apns).channels.ios_push, key: { env: 'ROSTER_CREDENTIAL_GOOD_APNS' } },
            email: { smtp: { env: 'ROSTER_CREDENTIAL_GOOD_SMTP' } },
            sms: { provider: { env: 'ROSTER_CREDENTIAL_GOOD_SMS' } },
          },
        },
      ],
      integrations: {
        connections: [{ id: warehouse.kind, kind: warehouse.kind, ...warehouse.connection }],
      },
    },
  };
};

type GoodPeers = Awaited<ReturnType<typeof openGoodPeers>>;

/** In a second. */
export interface Rates {
  messages: number;
  rows: number;
}

export interface Round extends Rates {
  broken: string[];
}

interface Job {
  _id: string;
  ws: string;
  n: number;
  state: string;
  synced: number;
  tries: number;
}

const perSecond = (count: number, ms: number | undefined): number =>
  ms === undefined ? 0 : (count * 1_000) / ms;

type Caller = ReturnType<typeof createCaller>;

/** Four messages to each person. */
const createSending = ({ mongo }: System, peers: GoodPeers, { post }: Caller) => {
  const sends = mongo.collection<{ ws: string; state: string; tries: number }>('sends');
  const inAll = channels * sizes.people;
  let rounds = 0;
  /** Of earlier rounds. */
  let [cameBefore, sentBefore] = [0, 0];

  const messages = () => ({
    webhook: {
      // Each to a host that was not looked up before.
      url: `http://${rounds}-${userId}.${goodZone}:${peers.port}/`,
      request_method: 'POST',
      body: `${rounds} ${userId}`,
    },
    ios_push: { alert: 'Sale' },
    email: { app_id: 'app', from: 'news@example.com', subject: 'Sale', body: 'Sale' },
    sms: { app_id: 'app', subscription_group_id: 'texts', body: `${rounds} ${userId}` },
  });

  return {
    async rate(): Promise<number> {
      rounds += 1;
      const began = performance.now();
      await post('/messages/schedule/create', broadcastTo(goodId, messages()));
      const ended = await until(patienceMs, async () => peers.came() - cameBefore >= inAll, 10);
      return perSecond(inAll, ended === undefined ? undefined : performance.now() - began);
    },
    async judge(): Promise<string[]> {
      const open = { ws: goodId, state: { $in: ['waiting', 'sending'] } };
      await until(patienceMs, async () => (await sends.countDocuments(open)) === 0, 20);
      const allSent = await sends.countDocuments({ ws: goodId, state: 'sent', tries: 1 });
      const [came, sent] = [peers.came() - cameBefore, allSent - sentBefore];
      [cameBefore, sentBefore] = [peers.came(), allSent];
      return [
        ...(sent === inAll ? [] : [`${sent} of ${inAll} messages were sent at their first try`]),
        ...(came === inAll ? [] : [`${came} of ${inAll} messages came`]),
      ];
    },
  };
};

/** All rows have changed before. */
const createSyncing = async ({ mongo }: System, { warehouse }: GoodPeers, { post }: Caller) => {
  const { table, env, kind } = warehouse;
  const body = { integration_name: 'people', connection: kind, table, data: 'attributes' };
  const { body: made } = await post('/cdi/integrations', body);
  const db = new Postgresql(env[`ROSTER_CREDENTIAL_${kind.toUpperCase()}`] ?? '');
  await db.connect();
  const jobs = mongo.collection<Job>('sync_jobs');
  const lastJob = () => jobs.findOne({ ws: goodId }, { sort: { n: -1 } });
  return {
    async rate(): Promise<number> {
      await db.query('UPDATE people SET value = value + 1, updated_at = clock_timestamp()');
      const last = (await lastJob())?._id;
      const began = performance.now();
      await post(`/cdi/integrations/${made.integration_id}/sync`, {});
      const isOver = async (): Promise<boolean> => {
        const job = await lastJob();
        return job !== null && job._id !== last && job.state !== 'running';
      };
      const ended = await until(patienceMs, isOver, 20);
      return perSecond(sizes.rows, ended === undefined ? undefined : performance.now() - began);
    },
    async judge(): Promise<string[]> {
      const { state, synced, tries } = (await lastJob()) ?? {};
      if (state === 'success' && synced === sizes.rows && tries === 0) return [];
      return [`the sync is ${state} with ${synced} rows after ${tries} failures`];
    },
    close: () => db.end(),
  };
};

export const openGood = async (trial: Trial, system: System, peers: GoodPeers) => {
  const client = await system.newWorkspace(goodId, peers.settings);
  const caller = createCaller(client, goodId);
  const people = Array.from({ length: sizes.people }, (_, n) => personOf(goodId, n, 'app'));
  await trackAll(caller, people);
  const sending = createSending(system, peers, caller);
  const syncing = await trial.opened(createSyncing(system, peers, caller));
  return {
    async round(): Promise<Round> {
      const [messages, rows] = await Promise.all([sending.rate(), syncing.rate()]);
      // What counts on any machine.
      const broken = [...(await sending.judge()), ...(await syncing.judge())];
      return { messages, rows, broken };
    },
  };
};

export type Good = Awaited<ReturnType<typeof openGood>>;
