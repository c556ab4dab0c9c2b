/** The answer to a queued request: a receipt at once, or the reply of a worker. */
import { type Operation, rejectionWithRetry } from '@roster/contract';
import type { Commit } from '@roster/queue';
import type { Answer } from './answer-headers.ts';
import { withItsCase } from './name-case.ts';
import type { Judged } from './understand.ts';

type Queued = Extract<Commit, { state: 'queued' }>;

const queuedText = (id: string): string =>
  JSON.stringify({ message: 'success', request_id: id, state: 'queued' });

const receipt = async (
  commit: Queued,
  { status, body }: Judged['answer'],
  waited: boolean,
): Promise<Answer> => {
  const plain = { status, body: JSON.stringify(body) };
  commit.remember(plain);
  if (!waited) return plain;
  const reply = await commit.reply;
  const outcome = JSON.parse(reply ? reply.body : queuedText(commit.id));
  return {
    status,
    body: JSON.stringify({ ...body, ...outcome, message: body.message }),
    headers: { 'Preference-Applied': 'wait' },
  };
};

/** No personal data is kept here: when a caller asks again, the worker answers from the applied request (docs/adr/0006, 0026). */
const result = async (operation: Operation, commit: Queued): Promise<Answer> => {
  const { kind, dialect } = operation;
  const reply = await commit.reply;
  if (reply) return withItsCase(operation, reply);
  // SCIM knows no "queued": its callers ask again.
  if (kind === 'read' || dialect === 'scim') throw rejectionWithRetry('UNAVAILABLE', 1);
  return { status: 202, body: queuedText(commit.id) };
};

export const conclude = async (
  operation: Operation,
  commit: Exclude<Commit, { state: 'conflict' | 'full' }>,
  { answer, waits }: { answer: Judged['answer']; waits: boolean },
): Promise<Answer> => {
  if (commit.state === 'replayed') return commit.answer;
  return operation.answer === 'result' ? result(operation, commit) : receipt(commit, answer, waits);
};
