// Events through a batch of the client, while the ingress and Redis are killed, the line is cut and falls silent, answers get lost, and the caller is
// stopped for a while: every promise settles, everything counts once, and the caller stays small.
import { killAlong } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { Preload } from '../harness/preload.ts';
import { openProxy } from '../harness/proxy.ts';
import { countByToken } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { until, within } from '../harness/wait.ts';
import { type Outcome, startSender } from './client-batch/child.ts';

const sizes = {
  full: { total: 200_000, maxEntries: 1_000, oneIn: 20, mostBytes: 4_000_000, kills: 20, silentMs: 30_000 },
  quick: { total: 4_000, maxEntries: 100, oneIn: 5, mostBytes: 150_000, kills: 2, silentMs: 6_000 },
};

const mostHeld = 20e6;

const placesOf = (outcomes: string, wanted: Outcome): number[] =>
  [...outcomes].flatMap((outcome, n) => (outcome === wanted ? [n] : []));

const judge = async ({ mongo }: System, outcomes: string): Promise<string[]> => {
  const stored = await countByToken(mongo, 'events');
  const accepted = placesOf(outcomes, 'a');
  const unsettled = placesOf(outcomes, 'w').length;
  const unaccepted = placesOf(outcomes, 'o').length;
  const missing = accepted.filter((n) => !stored.has(`e${n}`));
  const doubled = [...stored].filter(([, count]) => count > 1);
  return [
    ...(unsettled > 0 ? [`${unsettled} promises never settled`] : []),
    ...(unaccepted > 0 ? [`${unaccepted} events were not accepted, though the service came back`] : []),
    ...(missing.length > 0 ? [`${missing.length} accepted events are not stored`] : []),
    ...(doubled.length > 0 ? [`${doubled.length} events are stored twice, ${doubled[0]?.[0]} first`] : []),
  ];
};

const attempt = async (trial: Trial, preload?: Preload): Promise<Findings> => {
  const { mostBytes, kills: wanted, silentMs, ...order } = sizes[trial.quick ? 'quick' : 'full'];
  const system = await trial.system({ workers: { track: 2 }, ...(preload && { preload }) });
  const seed = trial.seedOr(7);
  const dice = createDice(seed);
  const target = { host: '127.0.0.1', port: Number(new URL(system.baseUrl).port) };
  const proxy = await trial.opened(openProxy(target, () => 50_000 + dice.below(mostBytes)));
  const began = performance.now();
  // Dice of its own: which answers are lost does not depend on the cuts.
  const url = `http://127.0.0.1:${proxy.port}`;
  const sender = startSender({ ...order, url, key: system.client.apiKey, seed: seed + 1 });
  trial.atEnd(sender.stop);
  const sending = within(600_000, 'the batch', sender.sent);
  const reach = (part: number) => until(600_000, async () => sender.progress() >= part, 20);
  const disturb = async (): Promise<void> => {
    await reach(0.3);
    await proxy.silence(silentMs);
    await reach(0.6);
    await sender.freeze(silentMs);
  };
  const disturbing = disturb();
  const kills = await killAlong(system, ['ingress', 'redis'], wanted, sender.progress, sending);
  const sent = await sending;
  await disturbing;
  const figures = {
    accepted: placesOf(sent.outcomes, 'a').length,
    seconds: Math.round((performance.now() - began) / 1000),
    kills,
    cuts: proxy.cuts(),
    'answers lost': sent.answersLost,
    'MB held above idle': Math.round(sent.mostHeld / 1e5) / 10,
  };
  const late = await unfinished(system, 180_000);
  const large =
    sent.mostHeld > mostHeld ? [`the caller held ${figures['MB held above idle']} MB above idle`] : [];
  return { figures, broken: [...late, ...large, ...(await judge(system, sent.outcomes))] };
};

export const clientBatch = faultOf(attempt, [undefined, 'without-keys'], {
  name: 'client-batch',
  title:
    'events through a batch of the client while ingress and Redis are killed, the line is cut and silent for half a minute, answers get lost and the caller is stopped: every promise settles, everything counts once, in 20 MB',
  without: 'keys: the ingress ignores them',
  breaks: /stored twice/,
});
