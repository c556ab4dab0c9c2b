// T16: one bad request costs its sender one dead letter, and no other request anything.
import { openBook, type Sendable, sendUntilAccepted } from '../harness/book.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { deadLetters } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { countByToken } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { eachOf, until } from '../harness/wait.ts';

/** A hundred requests; the middle one has the attribute that the injected fault looks for. */
const hundred: Sendable[] = Array.from({ length: 100 }, (_, i) => {
  const event = { external_id: `person-${i}`, name: `good-${i}`, time: '2025-06-01T12:00:00Z' };
  const attribute = { external_id: `person-${i}`, poison: true };
  return { key: `of-a-hundred-${i}`, body: i === 50 ? { attributes: [attribute] } : { events: [event] } };
});

/** Queued without workers, so that good and bad requests meet in the same batches. */
const queueHundred = async (system: System) => {
  const book = openBook<Sendable>();
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  await eachOf(hundred, 10, (request) => sendUntilAccepted(system.client, book, request));
  for (const worker of system.workers) await system.part(worker).start();
  return {
    accepted: [...book.accepted.values()],
    culpritId: book.accepted.get(hundred[50] as Sendable) ?? '',
  };
};

/** What must be seen of the culprit and of the others. */
const judgeHundred = async (system: System, accepted: readonly string[], culpritId: string) => {
  const stored = await countByToken(system.mongo, 'events');
  const names = [...stored].filter(([name]) => name.startsWith('good-'));
  const good = names.filter(([, times]) => times === 1).length;
  const dead = await deadLetters(system.redis);
  const outcome = await system.client.roster.requests.read(culpritId);
  const broken = imbalance(await reconcile({ accepted, ...system }));
  const [letter] = dead;
  if (good !== 99 || names.length !== 99) broken.push(`${good} of 99 good events are stored once`);
  if (dead.length !== 1) broken.push(`${dead.length} dead letters`);
  if (letter && letter.id !== culpritId) broken.push('an innocent request became the dead letter');
  if (letter && letter.code !== 'TypeMismatch')
    broken.push(`the dead letter says ${letter.code}: ${letter.reason}`);
  if (outcome.state !== 'failed' || !outcome.reason) broken.push(`its outcome is ${JSON.stringify(outcome)}`);
  return {
    figures: { good, 'dead letters': dead.length, reason: `${letter?.code}: ${letter?.reason}` },
    broken,
  };
};

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const system = await trial.system({ services: ['ingress', 'track', 'export'], instead: { track } });
  const { accepted, culpritId } = await queueHundred(system);
  const ms = await until(trial.quick ? 8_000 : 30_000, () => system.quiet(200));
  const { figures, broken } = await judgeHundred(system, accepted, culpritId);
  if (ms === undefined) broken.push('the queue was not empty in time');
  return { figures: { ...figures, 'settled after ms': ms ?? -1 }, broken };
};

export const poison = faultOf(attempt, ['track-poisoned', 'track-poisoned-stubborn'], {
  name: 'poison',
  title: 'one request among a hundred can never be applied: one dead letter, ninety-nine applied',
  without: 'every error taken for a passing one',
  breaks: /the queue was not empty in time/,
});
