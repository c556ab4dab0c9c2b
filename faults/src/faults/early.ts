// An entry that needs a person finds the person of an earlier request, in every order of workers and retries.
import { type Book, openBook, type Sendable, sendUntilAccepted } from '../harness/book.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { countRows } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { eachOf } from '../harness/wait.ts';

const time = '2025-06-01T12:00:00Z';
const alias = (visitor: string) => ({ user_alias: { alias_label: 'visitor', alias_name: visitor } });
const email = (visitor: string): string => `${visitor}@example.com`;

/** Each is sent when the one before was answered: by alias, which an event never creates, and by an email with an owner. */
const requestsOf = (visitor: string): Sendable[] =>
  [
    { attributes: [{ ...alias(visitor), _update_existing_only: false, plan: 'free' }] },
    { events: [{ ...alias(visitor), name: `seen-${visitor}`, time }] },
    { attributes: [{ external_id: `known-${visitor}`, email: email(visitor), colour: 'green' }] },
    { attributes: [{ email: email(visitor), shade: 'dark' }] },
  ].map((body, i) => ({ key: `${visitor}-${i}`, body }));

const visit = async ({ client }: System, book: Book<Sendable>, visitor: string): Promise<void> => {
  for (const request of requestsOf(visitor)) await sendUntilAccepted(client, book, request);
};

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const visitors = Array.from({ length: trial.quick ? 300 : 3_000 }, (_, i) => `visitor-${i}`);
  const system = await trial.system({ trackWorkers: 3, instead: { track } });
  const book = openBook<Sendable>();
  await eachOf(visitors, 16, (visitor) => visit(system, book, visitor));
  const broken: string[] = [];
  if (!(await system.quiet(60_000))) broken.push('the queue was not empty after 60 s');
  const events = await countRows(system.mongo, 'events', { name: /^seen-/ });
  const people = await system.mongo.collection('profiles').countDocuments({ email_key: { $exists: true } });
  const lost = visitors.length - events;
  const twins = people - visitors.length;
  if (lost !== 0) broken.push(`${lost} events found nobody, though their visitor was accepted before`);
  if (twins !== 0) broken.push(`${twins} people are there twice, though their email was accepted before`);
  broken.push(...imbalance(await reconcile({ accepted: book.accepted.values(), ...system })));
  return { figures: { accepted: book.accepted.size, 'events lost': lost, twins }, broken };
};

export const early = faultOf(attempt, 'track-patient', 'track-hasty', {
  name: 'early',
  title:
    'three workers, one turn in ten fails: an event finds the alias, and an update the email, accepted before',
  without: 'the wait for what was accepted before',
  breaks: /found nobody, though|are there twice, though/,
});
