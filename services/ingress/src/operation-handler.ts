import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitFor } from '@roster/access';
import { type Operation, priceOf, Rejection, readQuery, rejectionWithRetry } from '@roster/contract';
import { refusedId, type Submission } from '@roster/queue';
import { createAdmit } from './admit.ts';
import { type Answer, asRejection, writeAnswer } from './answer.ts';
import { Aborted } from './body.ts';
import { conclude } from './conclude.ts';
import { rejectionAnswer, spoken } from './dialect.ts';
import type { Edge } from './edge.ts';
import type { Standing } from './limiter.ts';
import { noteAnswer } from './note-answer.ts';
import type { Passage } from './passage.ts';
import { preferredWaitMs } from './prefer.ts';
import type { Scope } from './scope.ts';
import { submissionOf } from './submission.ts';
import { createTakeIn } from './take-in.ts';
import type { Judged, Question } from './understand.ts';

/**
 * The two callers of this, Express and the fast lane, each find the IP and the path parameters in their own way (docs/adr/0012); a
 * handler knows no web framework.
 */
export type OperationHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  ip: string,
  params: Record<string, string>,
) => Promise<void>;

interface Prepared {
  submission: Submission;
  answer: Judged['answer'];
}

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

const searchOf = ({ url = '' }: IncomingMessage): string => url.split('?', 2)[1] ?? '';

interface Row {
  operation: Operation;
  edge: Edge;
}

const holdToLimit = ({ pressure }: Edge, standing: Standing, passage: Passage): void => {
  passage.standing = standing;
  if (!standing.ok) throw rejectionWithRetry('RATE_LIMITED', standing.reset - Date.now() / 1000);
  if (pressure.refusal()) throw rejectionWithRetry('OVERLOADED', 2);
};

/** Without a free place, a preference to wait is ignored; an operation that is answered with its result is refused. */
const waitFor = (
  { operation, edge }: Row,
  request: IncomingMessage,
  scope: Scope,
  passage: Passage,
): number => {
  const needed = operation.answer === 'result';
  const waitMs = needed ? edge.resultTimeoutMs : preferredWaitMs(request.headers);
  if (waitMs === 0) return 0;
  try {
    passage.seat = edge.rooms.waiting(scope.id);
    return waitMs;
  } catch (error) {
    if (needed) throw error;
    return 0;
  }
};

const questionOf = (
  operation: Operation,
  request: IncomingMessage,
  params: Record<string, string>,
  { id: ws, judge: settings }: Scope,
): Question => ({
  operation,
  ws,
  settings,
  hasKey: operation.kind === 'write' && request.headers['idempotency-key'] !== undefined,
  ...(operation.request.params && { params }),
  ...(operation.request.query && { query: readQuery(operation.request.query, searchOf(request)) }),
});

const refused = ({ operation, edge }: Row, error: unknown, passage: Passage): Answer => {
  passage.id ??= refusedId();
  const rejection = asRejection(error);
  if (rejection.code === 'INTERNAL')
    edge.log.error({ err: error, request: passage.id, op: operation.id }, 'bug');
  return rejectionAnswer(rejection, operation.dialect);
};

/** Makes a request durable in Redis and words its answer. */
const createCommit =
  ({ operation, edge }: Row) =>
  async ({ submission, answer }: Prepared, passage: Passage): Promise<Answer> => {
    const commit = await edge.producer.commit(submission);
    letGo(passage);
    if (commit.state === 'full') throw keysFull(commit.most);
    if (commit.state === 'conflict') throw new Rejection('IDEMPOTENCY_KEY_REUSED');
    passage.id = commit.id;
    return conclude(operation, commit, { answer, waits: submission.waitMs > 0 });
  };

/** The life of a request, for any row of the table: authenticate, limit, read, judge, commit, answer. */
export const createOperationHandler = (operation: Operation, edge: Edge): OperationHandler => {
  const { limiter, pay } = edge;
  const row: Row = { operation, edge };
  const admit = createAdmit(operation, edge);
  const takesBody = operation.request.body !== undefined;
  const takeIn = createTakeIn(operation, edge);

  const prepare = async (
    request: IncomingMessage,
    ip: string,
    params: Record<string, string>,
    passage: Passage,
  ): Promise<Prepared> => {
    const admitted = admit(request, ip, passage);
    const scope = admitted instanceof Promise ? await admitted : admitted;
    const rate = limitFor(scope, operation.limit);
    const standing = limiter.take(scope.id, rate.pool, rate);
    holdToLimit(edge, standing instanceof Promise ? await standing : standing, passage);
    const waitMs = waitFor(row, request, scope, passage);
    const body = takesBody ? await takeIn(request, scope, passage) : edge.nothing;
    const judging = body.judge(questionOf(operation, request, params, scope));
    const judged = judging instanceof Promise ? await judging : judging;
    passage.entries = judged.entries;
    await pay(scope, passage, priceOf(operation, { ...body.shape, entries: judged.entries }));
    const takeRoom = (bytes: number) => edge.rooms.replying(scope.id, bytes);
    const submission = submissionOf(operation, request, passage, { judged, waitMs, takeRoom });
    return { submission, answer: judged.answer };
  };

  const commit = createCommit(row);

  return async (request, response, ip, params) => {
    const started = performance.now();
    const passage: Passage = { entries: 0, price: 0, releases: [] };
    let answer: Answer;
    try {
      answer = await commit(await prepare(request, ip, params, passage), passage);
    } catch (error) {
      if (error instanceof Aborted) return;
      answer = refused(row, error, passage);
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
