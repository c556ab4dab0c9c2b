/** Sends the demo through the public interface, like any caller. */
import type { Batch } from '../import/batches.ts';
import { pump } from '../import/pump.ts';
import type { Sent } from '../import/send-batch.ts';
import type { Target } from '../import/target.ts';
import { refusalsOf } from '../import/totals.ts';
import { createTrackClient, untilApplied } from '../import/track-client.ts';
import { createProgress, type Terminal } from '../progress.ts';
import { failed, type Result } from '../result.ts';
import { rowWords } from '../row-words.ts';
import { type DemoPlan, demoBatches, isAboutGroups, peopleOf } from './demo-batches.ts';
import { demoResult, type Made } from './demo-report.ts';
import { type Kind, personOf } from './people.ts';

export interface DemoWorld {
  target: Target;
  keyLine: string;
  terminal: Terminal;
  stop: AbortController;
}

const concurrency = 4;
const giveUpAfterMs = 60_000;
const applyWithinMs = 60_000;

const nothingYet = (plan: DemoPlan, { target, keyLine }: DemoWorld): Made => {
  const { seed, days, groups } = plan;
  const people: Record<Kind, number> = { account: 0, alias: 0, email: 0 };
  for (const { kind } of peopleOf(plan)) people[kind]++;
  const somebody = String(personOf(seed, 0).identity.external_id);
  const counts = { events: 0, purchases: 0, requests: 0, groupRefusals: [], refusals: [] };
  return { seed, days, people, groups, ...counts, url: target.url, keyLine, somebody };
};

const count = (made: Made, batch: Batch, sent: Sent): void => {
  for (const { array } of batch.items) if (array !== 'attributes') made[array]++;
  made.requests += sent.requests;
  for (const refusal of refusalsOf(batch, sent))
    (isAboutGroups(refusal.line) ? made.groupRefusals : made.refusals).push(refusal);
};

export const runDemo = async (plan: DemoPlan, world: DemoWorld): Promise<Result> => {
  const { target, terminal, stop } = world;
  const client = createTrackClient({ ...target, giveUpAfterMs, signal: stop.signal });
  const progress = createProgress(terminal);
  const made = nothingYet(plan, world);
  let rows = 0;
  const told = (batch: Batch, sent: Sent): void => {
    count(made, batch, sent);
    rows += batch.items.length;
    progress.show(undefined, rowWords({ rows, refused: made.refusals.length }));
  };
  try {
    const isWhole = await pump(demoBatches(plan), { client, concurrency, stop, told });
    if (!isWhole) throw failed('stopped. The same command, today, goes on and doubles nothing.');
    await untilApplied(client, stop.signal, applyWithinMs);
  } finally {
    progress.end();
  }
  return demoResult(made);
};
