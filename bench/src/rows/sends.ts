// What it costs to send a message to everybody in an audience: webhooks with the person's name, to a server that only answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '@roster/store';
import type { Bench, Setting } from '../bench.ts';
import { residentMegabytes, startClock, total } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { crowdOf } from '../load/bodies.ts';
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

/** So many of the crowd get it. */
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

/** The most that the process holds in the first part of the time, after it has warmed up, and in the last part. */
const watchMemory = (pid: number) => {
  const seen: number[] = [];
  const timer = setInterval(() => seen.push(residentMegabytes(pid)), 100);
  return () => {
    clearInterval(timer);
    const fifth = Math.ceil(seen.length / 5);
    return { early: Math.max(...seen.slice(fifth, 2 * fifth)), late: Math.max(...seen.slice(-fifth)) };
  };
};

interface Measured {
  us: number;
  memory: { early: number; late: number };
  perSecond: number;
  detail: Record<string, number>;
}

const sendOnce = async (setting: Setting, store: Store, url: string): Promise<Measured> => {
  const message = { url, request_method: 'POST', body: `{"name":"{{${firstName}}}"}` };
  const memory = watchMemory(setting.system.pid('messaging'));
  const [clock, began] = [startClock(setting.system.allPids()), performance.now()];
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
  const [cpu, seconds] = [clock(), (performance.now() - began) / 1000];
  const delivery = await store.messages.deliveries.findOne({ schedule: String(made.schedule_id) });
  const sent = delivery?.counts.sent ?? 0;
  if (sent === 0 || sent !== Object.values(delivery?.counts ?? {}).reduce((sum, n) => sum + n, 0))
    throw new Error(`not everybody was sent to: ${JSON.stringify(delivery?.counts)}`);
  const each = Object.entries(cpu).map(([name, used]) => [name, Math.round((used * 1e6) / sent)] as const);
  return {
    us: (total(cpu) * 1e6) / sent,
    memory: memory(),
    perSecond: sent / seconds,
    detail: Object.fromEntries(each.filter(([, us]) => us >= 2)),
  };
};

const measureWith = async (setting: Setting, store: Store, url: string): Promise<Figure[]> => {
  await allowPrivateHosts(setting, store);
  const { count: people } = crowdOf(setting);
  const measured: Measured[] = [];
  for (let run = 0; run < setting.runs; run++) measured.push(await sendOnce(setting, store, url));
  return [
    {
      work: 'recipients of webhooks a second, each with their own text',
      unit: 'people',
      bar: { atLeast: 5_000 },
      runs: measured.map(({ perSecond }) => perSecond),
    },
    {
      work: 'CPU a recipient of a webhook, everything but the receiver',
      unit: 'us',
      bar: { atMost: 200 },
      runs: measured.map(({ us }) => us),
      detail: measured.at(-1)?.detail ?? {},
    },
    {
      work: `memory of messaging at the end of ${people.toLocaleString('en')} people`,
      unit: 'MB',
      bar: { atMost: 200 },
      runs: measured.map(({ memory }) => memory.late),
    },
    {
      work: 'the same over what it was at the beginning',
      unit: 'times',
      bar: { atMost: 1.2 },
      runs: measured.map(({ memory }) => memory.late / memory.early),
    },
  ];
};

export const sends: Bench = {
  name: 'sends',
  async measure(setting) {
    await introduce(setting, crowdOf(setting));
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
