/** From a request to what is submitted of it: authenticate, limit, read, judge, pay. */
import type { IncomingMessage } from 'node:http';
import { limitFor } from '@roster/access';
import {
  type MoreLimit,
  type Operation,
  type Permission,
  Rejection,
  rejectionWithRetry,
} from '@roster/contract';
import { priceOf, priceOfReading, readQuery } from '@roster/judge';
import type { Submission } from '@roster/queue';
import { createAdmit } from './admit.ts';
import { checkHeaders, expectedLength } from './body.ts';
import type { Edge } from './edge.ts';
import type { Standing } from './limiter.ts';
import type { Passage } from './passage.ts';
import { preferredWaitMs } from './prefer.ts';
import { smallBody } from './rooms.ts';
import type { Scope } from './scope.ts';
import { submissionOf } from './submission.ts';
import type { CountedBody, JudgedBody, JudgeQuestion } from './understand.ts';

/** A row of the table, and the process that serves it. */
export interface OperationRow {
  operation: Operation;
  edge: Edge;
}

export interface PreparedSubmission {
  submission: Submission;
  answer: JudgedBody['answer'];
}

type Prepare = (
  request: IncomingMessage,
  ip: string,
  params: Record<string, string>,
  passage: Passage,
) => Promise<PreparedSubmission>;

const searchOf = ({ url = '' }: IncomingMessage): string => url.split('?', 2)[1] ?? '';

const holdToLimit = ({ pressure }: Edge, standing: Standing, passage: Passage): void => {
  passage.standing = standing;
  if (!standing.ok) throw rejectionWithRetry('RATE_LIMITED', standing.reset - Date.now() / 1000);
  if (pressure.refusal()) throw rejectionWithRetry('OVERLOADED', 2);
};

/** The caller is told of the limit that refuses; else of that of all requests. */
const holdToMore = async (
  { limiter }: Edge,
  scope: Scope,
  limits: readonly MoreLimit[],
  passage: Passage,
): Promise<void> => {
  for (const limit of limits) {
    const { pool, of } = limit;
    const standing = await limiter.take(scope.id, of ? `${pool}:${of}` : pool, limitFor(scope, limit));
    if (standing.ok) continue;
    passage.standing = standing;
    throw rejectionWithRetry('RATE_LIMITED', standing.reset - Date.now() / 1000);
  }
};

/** Refused as a request without the permission of its operation. */
const holdToPermission = (passage: Passage, needed: Permission | undefined): void => {
  if (needed === undefined || passage.mayAlso?.(needed)) return;
  passage.refusal = 'permission';
  throw new Rejection('ACCESS_DENIED');
};

/** From the socket to a body whose work is known and paid for: each step has room before it is done. */
const createTakeIn = ({ operation, edge }: OperationRow) => {
  const { bodyLimit: limit, dialect } = operation;
  const { pay, rooms, readBody, understand, understandLarge } = edge;

  const read = async (request: IncomingMessage, scope: Scope, passage: Passage): Promise<Buffer> => {
    const expected = expectedLength(request);
    await pay(scope, passage, priceOfReading(expected > limit ? 0 : expected));
    checkHeaders(request, limit, dialect);
    const { bytes, release } = await readBody({ request, ws: scope.id, limit });
    passage.releases.push(release);
    await pay(scope, passage, priceOfReading(bytes.length));
    return bytes;
  };

  const count = async (bytes: Buffer, scope: Scope, passage: Passage): Promise<CountedBody> => {
    if (bytes.length <= smallBody) return understand(bytes);
    passage.releases.push(await rooms.working(scope.id, bytes.length));
    const body = await understandLarge(bytes);
    passage.releases.push(body.drop);
    return body;
  };

  return async (request: IncomingMessage, scope: Scope, passage: Passage): Promise<CountedBody> => {
    const body = await count(await read(request, scope, passage), scope, passage);
    await pay(scope, passage, priceOf(operation, { ...body.shape, entries: 0 }));
    return body;
  };
};

/** Without a free place, a preference to wait is ignored; an operation that is answered with its result is refused. */
const waitFor = (
  { operation, edge }: OperationRow,
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
): JudgeQuestion => ({
  operation,
  ws,
  settings,
  hasKey: operation.kind === 'write' && request.headers['idempotency-key'] !== undefined,
  ...(operation.request.params && { params }),
  ...(operation.request.query && { query: readQuery(operation.request.query, searchOf(request)) }),
});

export const createPrepare = (row: OperationRow): Prepare => {
  const { operation, edge } = row;
  const { limiter, pay, turns } = edge;
  const admit = createAdmit(operation, edge);
  const takesBody = operation.request.body !== undefined;
  const takeIn = createTakeIn(row);
  return async (request, ip, params, passage) => {
    const admitted = admit(request, ip, passage);
    const scope = admitted instanceof Promise ? await admitted : admitted;
    const turn = turns.take(scope.id, expectedLength(request));
    if (turn) await turn;
    const rate = limitFor(scope, operation.limit);
    const standing = limiter.take(scope.id, rate.pool, rate);
    holdToLimit(edge, standing instanceof Promise ? await standing : standing, passage);
    const waitMs = waitFor(row, request, scope, passage);
    const body = takesBody ? await takeIn(request, scope, passage) : edge.nothing;
    const judging = body.judge(questionOf(operation, request, params, scope));
    const judged = judging instanceof Promise ? await judging : judging;
    passage.entries = judged.entries;
    holdToPermission(passage, judged.alsoNeeds);
    if (judged.limits) await holdToMore(edge, scope, judged.limits, passage);
    await pay(scope, passage, priceOf(operation, { ...body.shape, entries: judged.entries }));
    const takeRoom = (bytes: number) => edge.rooms.replying(scope.id, bytes);
    const submission = submissionOf(operation, request, passage, { judged, waitMs, takeRoom });
    return { submission, answer: judged.answer };
  };
};
