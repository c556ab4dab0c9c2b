// T11: one key, one effect.
import { insist } from '../harness/book.ts';
import { type Answer, isAccepted, requestIdOf } from '../harness/client.ts';
import { unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { Preload } from '../harness/preload.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { countRows } from '../harness/rows.ts';
import { attributeOfAll } from '../harness/tally.ts';
import { patienceOf } from '../harness/wait.ts';

const idempotencyKey = 'the-same-key';
const body = {
  attributes: [{ external_id: 'impatient', visits: { inc: 1 } }],
  events: [{ external_id: 'impatient', name: 'clicked', time: '2025-06-01T12:00:00Z' }],
};
const other = {
  events: [{ external_id: 'impatient', name: 'something_else', time: '2025-06-01T12:00:00Z' }],
};

const attempt = async (trial: Trial, preload?: Preload): Promise<Findings> => {
  const system = await trial.system(preload && { preload });
  // A server that did not answer in time is asked again where no time is judged: on a slow machine this says nothing about keys.
  const send = (sent: object): Promise<Answer> => {
    const call = { body: sent, idempotencyKey };
    return trial.counting ? insist(system.client, call) : system.client.call(call);
  };
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(body)));
  const different = await send(other);
  const late = await unfinished(system, patienceOf(trial, 20_000));

  const accepted = answers.filter(isAccepted);
  const ids = new Set(accepted.map(requestIdOf));
  const applied = await countRows(system.mongo, 'events', { name: 'clicked' });
  const stray = await countRows(system.mongo, 'events', { name: 'something_else' });
  const visits = (await attributeOfAll(system.mongo, 'visits')).get('impatient');
  const broken = [...late, ...imbalance(await reconcile({ accepted: ids, ...system }))];
  if (accepted.length !== 100) broken.push(`${100 - accepted.length} of 100 were not accepted`);
  if (ids.size !== 1) broken.push(`${ids.size} request ids under one key`);
  if (new Set(accepted.map((answer) => answer.body)).size !== 1)
    broken.push('not everybody got the first answer');
  if (applied !== 1 || visits !== 1) broken.push(`applied ${applied} times, counted ${visits} times`);
  if (different.status !== 422 || stray !== 0)
    broken.push(`another body was answered ${different.status}, stored ${stray}`);
  return {
    figures: { accepted: accepted.length, requests: ids.size, applied, 'other body': different.status },
    broken,
  };
};

export const idempotency = faultOf(attempt, [undefined, 'without-keys'], {
  name: 'idempotency',
  title: 'the same request a hundred times at once under one key: applied once; another body: 422',
  without: 'keys: the ingress ignores them',
  breaks: /applied 100 times, counted 100 times/,
  inGate: true,
});
