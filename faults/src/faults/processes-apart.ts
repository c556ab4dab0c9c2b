// The interface, the pages and the sending each stand still in turn, and are killed: the other two go on.
import { anyFreePort } from '@roster/local-stack';
import { createCaller } from '../harness/caller.ts';
import { isAccepted } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { until } from '../harness/wait.ts';
import { plant } from './sends/plant.ts';
import { openReceiver, type Receiver, webhooksHere } from './sends/receiver.ts';

/** Long enough for a machine that is busy; what stands still does not answer ever. */
const patienceMs = 20_000;
const dueInMs = 3_000;

interface Scene {
  system: System;
  pageUrl: string;
  receiver: Receiver;
}

const all = ['messaging', 'pages', 'sender'] as const;

type Process = (typeof all)[number];

const linkTo = async ({ client }: System, origin: string): Promise<string> => {
  const { preference_center_url } = await client.roster.preference_center.user.get('default', 'ada');
  return origin + new URL(preference_center_url).pathname;
};

/** What each process is for, done once. */
const works: Record<Process, (scene: Scene, held: Process) => Promise<boolean>> = {
  async messaging({ system: { client } }, held) {
    const body = { name: `block-${held}`, content: 'Hello' };
    const answer = await client.call({
      path: '/content_blocks/create',
      body,
      idempotencyKey: `block-${held}`,
      headers: { prefer: 'wait=15' },
      timeoutMs: patienceMs,
    });
    return isAccepted(answer) && answer.status === 201;
  },
  async pages({ pageUrl }) {
    const answer = await fetch(pageUrl, { signal: AbortSignal.timeout(patienceMs) });
    await answer.text();
    return answer.status === 200;
  },
  /** Its schedule was written down before. */
  sender: async ({ receiver }, held) =>
    (await until(patienceMs, async () => receiver.counts.has(`due-${held}`))) !== undefined,
};

const named: Record<Process, string> = {
  messaging: 'the interface does not answer',
  pages: 'the pages do not answer',
  sender: 'nothing is sent',
};

/** What does not go on beside a process that is held. */
const heldBeside = async (scene: Scene, held: Process): Promise<string[]> => {
  const { system } = scene;
  if (held !== 'sender') {
    const due = new Date(Date.now() + dueInMs);
    const caller = createCaller(system.client, `beside-${held}`);
    await plant(system, caller, scene.receiver.url, [{ id: `due-${held}`, body: `due-${held}`, due }]);
  }
  const { pid } = system.part(held);
  process.kill(pid, 'SIGSTOP');
  const others = all.filter((name) => name !== held);
  const went = await Promise.all(others.map((name) => works[name](scene, held).catch(() => false)));
  process.kill(pid, 'SIGCONT');
  return others.flatMap((name, i) => (went[i] ? [] : [`${named[name]} while ${held} stands still`]));
};

interface How {
  /** Each is held in turn. */
  processes: readonly Process[];
  instead: Record<string, string>;
}

const attempt = async (trial: Trial, { processes, instead }: How): Promise<Findings> => {
  const port = String(await anyFreePort());
  const services = ['ingress', 'track', 'subscription', ...processes];
  const system = await trial.system({ services, instead, env: { PAGES_PORT: port } });
  const receiver = await trial.opened(openReceiver());
  const client = await system.newWorkspace('apart', webhooksHere);
  const caller = createCaller(client, 'apart');
  await caller.post('/users/track', { attributes: [{ external_id: 'ada' }] }, { wait: 30 });
  const own = { ...system, client };
  const scene: Scene = { system: own, pageUrl: await linkTo(own, `http://127.0.0.1:${port}`), receiver };
  const broken: string[] = [];
  for (const held of processes) broken.push(...(await heldBeside(scene, held)));
  return { figures: { held: processes.length }, broken };
};

const apart: How = { processes: all, instead: {} };
const together: How = { processes: ['sender'], instead: { sender: 'sender-together' } };

export const processesApart = faultOf(attempt, [apart, together], {
  name: 'processes-apart',
  title: 'the interface, the pages and the sending stand still in turn: the others go on',
  without: 'a process for each',
  breaks: /the pages do not answer while sender stands still/,
});
