/** The answer to a queued request: a receipt at once, or the reply of a worker. */
import { type Operation, rejectionWithRetry } from '@roster/contract';
import type { Commit } from '@roster/queue';
import type { CallerAnswer } from './answer.ts';
import type { JudgedBody } from './understand.ts';

type Queued = Extract<Commit, { state: 'queued' }>;

const queuedText = (id: string): string =>
  JSON.stringify({ message: 'success', request_id: id, state: 'queued' });

const receipt = async (
  commit: Queued,
  { status, body }: JudgedBody['answer'],
  waited: boolean,
): Promise<CallerAnswer> => {
  const plain = commit.first ?? { status, body: JSON.stringify(body) };
  commit.remember(plain);
  if (!waited) return plain;
  const reply = await commit.reply;
  const outcome = JSON.parse(reply ? reply.body : queuedText(commit.id));
  const told = JSON.parse(plain.body);
  return {
    status: plain.status,
    body: JSON.stringify({ ...told, ...outcome, message: told.message }),
    headers: { 'Preference-Applied': 'wait' },
  };
};

/** Nothing of people is remembered here: asked again, the worker answers from what it has applied (docs/adr/exactly-once.md, docs/adr/scim.md). */
const result = async ({ kind, dialect }: Operation, commit: Queued): Promise<CallerAnswer> => {
  const reply = await commit.reply;
  if (reply) return reply;
  // SCIM knows no "queued": its callers ask again.
  if (kind === 'read' || dialect === 'scim') throw rejectionWithRetry('UNAVAILABLE', 1);
  return { status: 202, body: queuedText(commit.id) };
};

export const conclude = async (
  operation: Operation,
  commit: Exclude<Commit, { state: 'conflict' | 'full' }>,
  { answer, waits }: { answer: JudgedBody['answer']; waits: boolean },
): Promise<CallerAnswer> => {
  if (commit.state === 'replayed') return commit.answer;
  return operation.answer === 'result' ? result(operation, commit) : receipt(commit, answer, waits);
};
