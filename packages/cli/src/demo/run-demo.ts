/** Sends the demo through the public interface, like any caller. */
import { createDelivery } from '../import/delivery.ts';
import type { Target } from '../import/target.ts';
import { refusalsOf } from '../import/totals.ts';
import type { Watched } from '../person.ts';
import { failed, type Result } from '../result.ts';
import { type DemoPlan, demoBatches, peopleOf } from './demo-batches.ts';
import { demoResult, type Made } from './demo-report.ts';
import { type Kind, personOf } from './people.ts';

const concurrency = 4;
const giveUpAfterMs = 60_000;
const applyWithinMs = 60_000;

const nothingYet = (plan: DemoPlan, url: string, keyLine: string): Made => {
  const { seed, days } = plan;
  const people: Record<Kind, number> = { account: 0, alias: 0, email: 0 };
  for (const { kind } of peopleOf(plan)) people[kind]++;
  const somebody = String(personOf(seed, 0).identity.external_id);
  const counts = { events: 0, purchases: 0, requests: 0, refusals: [] };
  return { seed, days, people, ...counts, url, keyLine, somebody };
};

/** `keyLine`: how a shell gets the key. */
export const runDemo = async (
  plan: DemoPlan,
  target: Target,
  keyLine: string,
  watched: Watched,
): Promise<Result> => {
  const made = nothingYet(plan, target.url, keyLine);
  const delivery = createDelivery(watched, { target, concurrency, giveUpAfterMs });
  const isWhole = await delivery.send(demoBatches(plan), ({ batch, sent }) => {
    for (const { array } of batch.items) if (array !== 'attributes') made[array]++;
    made.refusals.push(...refusalsOf(batch, sent));
    return undefined;
  });
  if (!isWhole) throw failed('stopped. The same command, today, goes on and doubles nothing.');
  await delivery.untilApplied(applyWithinMs);
  return demoResult({ ...made, requests: delivery.totals().requests });
};
