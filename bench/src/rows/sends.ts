// What it costs to send a message to everybody in an audience: webhooks with the person's name, to a server that only answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '@roster/store';
import { openBareSend } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { cpuAgainst, rateAgainst } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import type { People } from '../load/bodies.ts';
import { introduce } from '../load/introduce.ts';

const openReceiver = async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};

const peopleOf = ({ quick }: Setting): People => ({ prefix: 'crowd-', count: quick ? 10_000 : 50_000 });

/** All of them, and the bench's own ten thousand. */
const audienceOf = (value: string) => ({
  custom_attribute: { custom_attribute_name: 'plan', comparison: 'equals', value },
});

const firstName = `\${first_name}`;

const call = async ({ system: { trackUrl, apiKey } }: Setting, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const answer = await fetch(new URL(path, trackUrl), { headers, ...init });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
};

const allowPrivateHosts = async ({ system }: Setting, { workspaces }: Store): Promise<void> => {
  const settings = await workspaces.get<{ id: string }>(system.workspace);
  await workspaces.put({ ...settings, id: system.workspace, messaging: { webhook_private_hosts: true } });
  // Settings are at most five seconds old.
  await sleep(5_500);
};

/** The schedule is sent when everybody's row is written. */
const sendToAll = async (setting: Setting, store: Store, url: string): Promise<number> => {
  const message = { url, request_method: 'POST', body: `{"name":"{{${firstName}}}"}` };
  const made = await call(setting, '/messages/schedule/create', {
    broadcast: true,
    audience: audienceOf('free'),
    schedule: { time: new Date().toISOString() },
    messages: { webhook: message },
  });
  for (;;) {
    const schedule = await store.messages.schedules.findOne({ _id: String(made.schedule_id) });
    if (schedule?.state === 'sent') break;
    await sleep(20);
  }
  const delivery = await store.messages.deliveries.findOne({ schedule: String(made.schedule_id) });
  const sent = delivery?.counts.sent ?? 0;
  if (sent === 0 || sent !== Object.values(delivery?.counts ?? {}).reduce((sum, n) => sum + n, 0))
    throw new Error(`not everybody was sent to: ${JSON.stringify(delivery?.counts)}`);
  return sent;
};

const measureWith = async (setting: Setting, store: Store, url: string): Promise<Figure[]> => {
  const { system, runs } = setting;
  await allowPrivateHosts(setting, store);
  const bare = openBareSend(system);
  const people = peopleOf(setting).count;
  try {
    const pairs = await inTurns<Cost, Cost>(runs, {
      ours: () => costOf(system.allPids(), () => sendToAll(setting, store, url)),
      bare: () => bare.ask({ url, people, page: 500, atOnce: 100 }),
    });
    const yardstick = 'a bare loop that posts and writes twice';
    return [
      rateAgainst({
        work: 'recipients of webhooks a second, each with their own text',
        yardstick,
        bar: { atLeast: 0.5 },
        pairs,
      }),
      cpuAgainst({
        work: 'CPU a recipient of a webhook, everything but the receiver',
        yardstick,
        bar: { atMost: 2.5 },
        pairs,
      }),
    ];
  } finally {
    await bare.stop();
  }
};

export const sends: Bench = {
  name: 'sends',
  async measure(setting) {
    await introduce(setting, peopleOf(setting));
    const store = await openStore({ url: setting.system.mongoUrl, appName: 'bench' });
    const { url, close } = await openReceiver();
    try {
      return await measureWith(setting, store, url);
    } finally {
      close();
      await store.close();
    }
  },
};
