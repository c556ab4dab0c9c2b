import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, Rejection, rejectionWithRetry } from '@roster/contract';
import { refusedId } from '@roster/queue';
import { asRejection, type CallerAnswer, writeAnswer } from './answer.ts';
import { Aborted } from './collect.ts';
import { conclude } from './conclude.ts';
import { rejectionAnswer, spoken } from './dialect.ts';
import type { Edge } from './edge.ts';
import { noteAnswer } from './note-answer.ts';
import type { Passage } from './passage.ts';
import { createPrepare, type OperationRow, type PreparedSubmission } from './prepare.ts';

/**
 * The two callers of this, Express and the fast lane, each find the IP and the path parameters in their own way (docs/adr/ingress.md); a
 * handler knows no web framework.
 */
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
