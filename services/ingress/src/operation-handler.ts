import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, Rejection, rejectionWithRetry } from '@roster/contract';
import { type Commit, refusedId } from '@roster/queue';
import { asRejection, type CallerAnswer, writeAnswer } from './answer.ts';
import { Aborted } from './collect.ts';
import { rejectionAnswer, spoken } from './dialect.ts';
import type { Edge } from './edge.ts';
import { noteAnswer } from './note-answer.ts';
import { pageInstead } from './page-instead.ts';
import type { Passage } from './passage.ts';
import { createPrepare, type OperationRow, type PreparedSubmission } from './prepare.ts';
import type { JudgedBody } from './understand.ts';

/** A handler knows no web framework: `app.ts` finds the IP of the caller and the parameters of the path. */
export type OperationHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  ip: string,
  params: Record<string, string>,
) => Promise<void>;

/** Windows of keys are hours long: in a minute there may be room again, or not. */
const keysFull = (most: number): Rejection => {
  const message = `The workspace keeps as many idempotency keys as fit into ${Math.floor(most).toLocaleString('en-US')} bytes; send without Idempotency-Key, or later`;
  return rejectionWithRetry('IDEMPOTENCY_KEYS_FULL', 60, message);
};

/** The body is in Redis, or refused: its room is free for the next one, also while a reply is waited for. */
const letGo = ({ releases }: Passage): void => {
  for (const release of releases.splice(0)) release();
};

const whenOver = (response: ServerResponse, release: (() => void) | undefined): void => {
  if (!release) return;
  if (response.destroyed || response.writableFinished) release();
  else response.once('close', release);
};

const refused = ({ operation, edge }: OperationRow, error: unknown, passage: Passage): CallerAnswer => {
  passage.id ??= refusedId();
  const rejection = asRejection(error);
  if (rejection.code === 'INTERNAL')
    edge.log.error({ err: error, request: passage.id, op: operation.id }, 'unexpected error');
  return rejectionAnswer(rejection, operation.dialect);
};

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

/** The answer to a queued request: a receipt at once, or the reply of a worker. */
const conclude = async (
  operation: Operation,
  commit: Exclude<Commit, { state: 'conflict' | 'full' }>,
  { answer, waits }: { answer: JudgedBody['answer']; waits: boolean },
): Promise<CallerAnswer> => {
  if (commit.state === 'replayed') return commit.answer;
  return operation.answer === 'result' ? result(operation, commit) : receipt(commit, answer, waits);
};

/** Makes a request durable in Redis and words its answer. */
const createCommit =
  ({ operation, edge }: OperationRow) =>
  async ({ submission, answer }: PreparedSubmission, passage: Passage): Promise<CallerAnswer> => {
    const commit = await edge.producer.commit(submission);
    letGo(passage);
    if (commit.state === 'full') throw keysFull(commit.most);
    if (commit.state === 'conflict') throw new Rejection('IDEMPOTENCY_KEY_REUSED');
    passage.id = commit.id;
    return conclude(operation, commit, { answer, waits: submission.waitMs > 0 });
  };

/** The life of a request, for any row of the table: authenticate, limit, read, judge, commit, answer. */
export const createOperationHandler = (operation: Operation, edge: Edge): OperationHandler => {
  const row: OperationRow = { operation, edge };
  const prepare = createPrepare(row);
  const commit = createCommit(row);

  return async (request, response, ip, params) => {
    const started = performance.now();
    const passage: Passage = { entries: 0, price: 0, releases: [] };
    let answer: CallerAnswer;
    try {
      answer = await commit(await prepare(request, ip, params, passage), passage);
    } catch (error) {
      if (error instanceof Aborted) return;
      answer = pageInstead(refused(row, error, passage), request);
    } finally {
      letGo(passage);
      passage.seat?.();
    }
    const { id = refusedId(), standing, price, work } = passage;
    const asked = { id, standing, price, work, closing: edge.draining(), linger: edge.linger };
    writeAnswer(response, asked, spoken(answer, request, operation.dialect));
    whenOver(response, answer.release);
    edge.observe(operation.id, answer.status, performance.now() - started, passage);
    noteAnswer(operation, edge, answer.status, ip, passage);
  };
};
