// One workspace fills the ingress with large bodies that never end, another one sends large ones. A third one sends small requests meanwhile.

import { peakMbOf } from '../costly/processes.ts';
import { type Answer, type Client, isAccepted } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { steadily } from '../harness/pace.ts';
import { countRows } from '../harness/rows.ts';
import { sleep, until } from '../harness/wait.ts';

const mostMb = 400;
const heldBodies = 150;
const senders = 16;
const perSecond = 20;
const appliedWithinMs = 20_000;

/** 5.9 MB, of which the last kilobyte never comes. */
const unfinished = Buffer.alloc(5_899_000, ' ');

/** 4.75 MB that are accepted: fifty events with 95 KB of texts each. */
const legal = (): Buffer => {
  const list = Array.from({ length: 370 }, () => 'x'.repeat(253));
  const event = { external_id: 'big', name: 'big', time: '2026-01-31T12:00:00Z', properties: { list } };
  return Buffer.from(JSON.stringify({ events: Array.from({ length: 50 }, () => event) }));
};

const holdBack = (client: Client, ms: number): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: heldBodies }, () => client.call({ raw: unfinished, heldBack: 1000, timeoutMs: ms })),
  );

const sendLarge = async (client: Client, raw: Buffer, end: number): Promise<Answer[]> => {
  const answers: Answer[] = [];
  const sender = async (): Promise<void> => {
    while (performance.now() < end) {
      answers.push(await client.call({ raw, timeoutMs: 15_000 }));
      await sleep(200);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return answers;
};

const sendSmall = (client: Client, seconds: number): Promise<Answer[]> =>
  steadily(perSecond, perSecond * seconds, (n) => {
    const event = { external_id: `small-${n}`, name: 'small', time: '2026-01-31T12:00:00Z' };
    return client.call({ body: { events: [event] }, timeoutMs: 15_000 });
  });

const countOf = (answers: readonly Answer[]): string => {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} x ${status || 'none'}`).join(', ');
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ instead });
  const [holding, large] = [await system.newWorkspace('holding'), await system.newWorkspace('large')];
  const ingress = system.part('ingress');
  const { pid } = ingress;
  const seconds = trial.quick ? 6 : 30;
  const end = performance.now() + seconds * 1000;
  const body = legal();
  const held = holdBack(holding, (seconds + 2) * 1000);
  const sending = sendLarge(large, body, end);
  const small = await sendSmall(system.client, seconds);
  const largeAnswers = await sending;
  const heldAnswers = await held;
  const broken: string[] = [];
  if (!ingress.alive() || ingress.pid !== pid) broken.push('the ingress died');
  const peak = ingress.alive() ? Math.round(peakMbOf(ingress.pid)) : 0;
  if (peak > mostMb) broken.push(`the ingress held ${peak} MB, more than ${mostMb}`);
  const refused = small.filter((answer) => !isAccepted(answer));
  if (refused.length > 0) broken.push(`small requests were not accepted: ${countOf(refused)}`);
  const stored = async () => (await countRows(system.mongo, 'events', { name: 'small' })) === small.length;
  if ((await until(appliedWithinMs, stored)) === undefined)
    broken.push(`not every small event is stored after ${appliedWithinMs / 1_000} s`);
  if (!largeAnswers.some(isAccepted)) broken.push('no large body of another workspace was accepted');
  if (heldAnswers.some(isAccepted)) broken.push('a body was accepted that never ended');
  return {
    figures: {
      'small requests': countOf(small),
      large: countOf(largeAnswers),
      'held back': countOf(heldAnswers),
      'MB of the ingress': peak,
    },
    broken,
  };
};

export const heldBack = faultOf(attempt, [{}, { ingress: 'ingress-unbounded' }], {
  name: 'held-back',
  alone: true,
  title: 'bodies that hold back their last bytes, and many large ones, keep nobody else out',
  without: 'bound on the bytes in flight',
  breaks: /the ingress died|the ingress held|small requests were not accepted/,
});
