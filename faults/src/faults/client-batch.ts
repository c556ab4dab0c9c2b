// Events through a batch of the client, while the ingress and Redis are killed, the line is cut, and answers get lost: every promise settles, everything
// counts once.
import { type EntryOutcome, Roster } from '@roster/client';
import { killAlong } from '../harness/chaos.ts';
import { createDice, type Dice } from '../harness/dice.ts';
import { unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { Preload } from '../harness/preload.ts';
import { openProxy } from '../harness/proxy.ts';
import { countByToken } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { within } from '../harness/wait.ts';

const people = 5_000;
const mostWaiting = 20_000;
const nameOf = (n: number): string => `e${n}`;

/** The service has answered, and the caller never hears of it. */
const losing =
  (dice: Dice, oneIn: number, lost: { answers: number }) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (dice.below(oneIn) > 0) return response;
    lost.answers++;
    await response.body?.cancel();
    throw new TypeError('the answer was lost');
  };

interface Sent {
  settled: Map<number, EntryOutcome>;
  progress(): number;
  done: Promise<void>;
}

/** Never more than may wait. */
const sendAll = (roster: Roster, total: number, maxEntries: number): Sent => {
  const settled = new Map<number, EntryOutcome>();
  const batch = roster.batch({ maxWaiting: mostWaiting, maxEntries });
  const time = new Date().toISOString();
  const send = async (): Promise<void> => {
    for (let n = 0; n < total; n++) {
      await batch.room();
      const event = { external_id: `p${n % people}`, name: nameOf(n), time, properties: { n } };
      void batch.event(event).then((outcome) => settled.set(n, outcome));
    }
    await batch.close();
  };
  return { settled, progress: () => settled.size / total, done: send() };
};

const countsOf = (settled: Map<number, EntryOutcome>): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { state } of settled.values()) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

const judge = async ({ mongo }: System, { settled }: Sent, total: number): Promise<string[]> => {
  const stored = await countByToken(mongo, 'events');
  const accepted = [...settled].filter(([, { state }]) => state === 'accepted').map(([n]) => n);
  const missing = accepted.filter((n) => !stored.has(nameOf(n)));
  const doubled = [...stored].filter(([, count]) => count > 1);
  const unsettled = total - settled.size;
  const unaccepted = settled.size - accepted.length;
  return [
    ...(unsettled > 0 ? [`${unsettled} promises never settled`] : []),
    ...(unaccepted > 0 ? [`${unaccepted} events were not accepted, though the service came back`] : []),
    ...(missing.length > 0 ? [`${missing.length} accepted events are not stored`] : []),
    ...(doubled.length > 0 ? [`${doubled.length} events are stored twice, ${doubled[0]?.[0]} first`] : []),
  ];
};

const attempt = async (trial: Trial, preload?: Preload): Promise<Findings> => {
  const [total, maxEntries] = trial.quick ? [4_000, 100] : [200_000, 1_000];
  const system = await trial.system({ trackWorkers: 2, ...(preload && { preload }) });
  const seed = trial.seedOr(7);
  const dice = createDice(seed);
  const target = { host: '127.0.0.1', port: Number(new URL(system.baseUrl).port) };
  const proxy = await openProxy(target, () => 50_000 + dice.below(trial.quick ? 150_000 : 4_000_000));
  trial.atEnd(proxy.close);
  const lost = { answers: 0 };
  const roster = new Roster({
    url: `http://127.0.0.1:${proxy.port}`,
    key: system.apiKey,
    timeout: 5,
    retryFor: 240,
    // Dice of its own: which answers are lost does not depend on the cuts.
    fetch: losing(createDice(seed + 1), trial.quick ? 5 : 20, lost),
  });
  const began = performance.now();
  const sent = sendAll(roster, total, maxEntries);
  const killing = killAlong(system, ['ingress', 'redis'], trial.quick ? 2 : 20, sent.progress);
  await within(600_000, 'the batch', sent.done);
  const seconds = Math.round((performance.now() - began) / 1000);
  const kills = await killing;
  const late = await unfinished(system, 180_000);
  const broken = await judge(system, sent, total);
  const figures = {
    ...countsOf(sent.settled),
    seconds,
    kills,
    cuts: proxy.cuts(),
    'answers lost': lost.answers,
  };
  return { figures, broken: [...late, ...broken] };
};

export const clientBatch = faultOf(attempt, undefined, 'without-keys', {
  name: 'client-batch',
  title:
    'events through a batch of the client while ingress and Redis are killed, the line is cut and answers get lost: every promise settles, everything counts once',
  without: 'keys: the ingress ignores them',
  breaks: /stored twice/,
});
