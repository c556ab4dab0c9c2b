import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Access, limitFor, mayUse } from '@roster/access';
import { type Operation, Rejection, readQuery, rejectionWithRetry, type Verdict } from '@roster/contract';
import { type Commit, fingerprint, refusedId, type Submission } from '@roster/queue';
import { type Answer, asRejection, writeAnswer } from './answer.ts';
import { Aborted, type Body, readBytes, understand } from './body.ts';
import { rejectionAnswer, spoken } from './dialect.ts';
import type { Edge } from './edge.ts';
import type { Standing } from './limiter.ts';
import { idempotencyKeyIn, preferredWaitMs } from './prefer.ts';
import { type Scope, scopeOfCompany, scopeOfWorkspace } from './scope.ts';

type Accepted = Extract<Verdict, { ok: true }>;

/** What is learned of a request on its way through; the answer and the log line are written from it. */
interface Passage {
  /** Given when the request is accepted. */
  id?: string;
  ws?: string;
  /** The SCIM token that was used. */
  by?: string;
  entries: number;
  standing?: Standing | undefined;
}

const retryAfter = (standing: Standing): number => standing.reset - Date.now() / 1000;

const nothing = Buffer.alloc(0);

/** The bytes as they came in, unless the judge had to change something. */
const bytesOf = (body: Body | undefined, accepted: unknown): Buffer => {
  if (accepted === undefined) return nothing;
  return body && accepted === body.value ? body.bytes : Buffer.from(JSON.stringify(accepted));
};

const queuedText = (id: string): string =>
  JSON.stringify({ message: 'success', request_id: id, state: 'queued' });

/**
 * Whom a request comes from and what stands in its path is found out by each lane in its own way (docs/adr/0012); beyond that a
 * handler knows no web framework.
 */
export type OperationHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  ip: string,
  params: Record<string, string>,
) => Promise<void>;

type Queued = Extract<Commit, { state: 'queued' }>;

/** What goes on once the body is judged: only its bytes. What was parsed of it is garbage before the wait for Redis begins. */
interface Prepared {
  submission: Submission;
  receipt: Accepted['answer'];
}

/** The life of a request (DESIGN section 4), for any row of the table: authenticate, limit, read, judge, commit, answer. */
export const createOperationHandler = (operation: Operation, edge: Edge): OperationHandler => {
  const { directory, limiter, pressure, producer, judge, resultTimeoutMs } = edge;
  const { permission } = operation;
  const takesBody = operation.request.body !== undefined;

  const admitProvisioner = async (
    { headers }: IncomingMessage,
    ip: string,
    passage: Passage,
  ): Promise<Scope> => {
    const { authorization, 'x-request-origin': sent } = headers;
    const origin = Array.isArray(sent) ? sent[0] : sent;
    const access = await directory.authenticateScim({ authorization, origin, ip });
    if (access.ok) {
      const scope = scopeOfCompany(access.company);
      Object.assign(passage, { ws: scope.id, by: access.token.id });
      return scope;
    }
    if (access.code === 'UNAVAILABLE') throw rejectionWithRetry('UNAVAILABLE', 1);
    throw new Rejection('SCIM_TOKEN_INVALID', { headers: { 'WWW-Authenticate': 'Bearer' } });
  };

  const admitHolder = (access: Access, ip: string, passage: Passage): Scope => {
    if (!access.ok) {
      if (access.code === 'UNAVAILABLE') throw rejectionWithRetry('UNAVAILABLE', 1);
      throw new Rejection(access.code === 'ACCESS_DENIED' ? 'ACCESS_DENIED' : 'API_KEY_INVALID');
    }
    passage.ws = access.settings.id;
    if (mayUse(access.key, { permission, ip, now: Date.now() }) !== 'ok')
      throw new Rejection('ACCESS_DENIED');
    return scopeOfWorkspace(access.settings);
  };

  const admit = (request: IncomingMessage, ip: string, passage: Passage): Scope | Promise<Scope> => {
    if (operation.auth === 'scim') return admitProvisioner(request, ip, passage);
    const access = directory.authenticate(request.headers.authorization, ip);
    return access instanceof Promise
      ? access.then((known) => admitHolder(known, ip, passage))
      : admitHolder(access, ip, passage);
  };

  const limit = (standing: Standing, passage: Passage): void => {
    passage.standing = standing;
    if (!standing.ok) throw rejectionWithRetry('RATE_LIMITED', retryAfter(standing));
    if (pressure.refusal()) throw rejectionWithRetry('OVERLOADED', 2);
  };

  const judged = (
    request: IncomingMessage,
    params: Record<string, string>,
    scope: Scope,
    body: Body | undefined,
  ): Accepted => {
    const input = {
      ...(body && { body: body.value }),
      ...(operation.request.params && { params }),
      ...(operation.request.query && { query: readQuery(operation.request.query, searchOf(request)) }),
    };
    const verdict = judge(operation, input, scope.judge);
    if (!verdict.ok) throw verdict.rejection;
    return verdict;
  };

  const waitMs = (request: IncomingMessage): number =>
    operation.answer === 'result' ? resultTimeoutMs : preferredWaitMs(request.headers);

  const submission = (
    request: IncomingMessage,
    { ws = '', by }: Passage,
    accepted: Accepted,
    body: Body | undefined,
  ): Submission => {
    const key = operation.kind === 'write' ? idempotencyKeyIn(request.headers) : undefined;
    const { params, query } = accepted.accepted;
    const headers = declaredHeaders(operation, request);
    return {
      ws,
      op: operation.id,
      family: operation.queue,
      content: {
        ...(params && { params }),
        ...(query && { query }),
        ...(headers && { headers }),
        ...(by && { by }),
      },
      body: bytesOf(body, accepted.accepted.body),
      entries: accepted.entries,
      waitMs: waitMs(request),
      ...(key !== undefined && { idempotency: { key, fingerprint: fingerprint(body?.bytes ?? nothing) } }),
    };
  };

  const prepare = async (
    request: IncomingMessage,
    ip: string,
    params: Record<string, string>,
    passage: Passage,
  ): Promise<Prepared> => {
    // Nearly always both know at once; then nobody waits for a turn of the loop.
    const admitted = admit(request, ip, passage);
    const scope = admitted instanceof Promise ? await admitted : admitted;
    const rate = limitFor(scope, operation.limit);
    const standing = limiter.take(scope.id, rate.pool, rate);
    limit(standing instanceof Promise ? await standing : standing, passage);
    const body = takesBody
      ? understand(await readBytes(request, operation.bodyLimit, operation.dialect))
      : undefined;
    const accepted = judged(request, params, scope, body);
    passage.entries = accepted.entries;
    return { submission: submission(request, passage, accepted, body), receipt: accepted.answer };
  };

  const receipt = async (
    commit: Queued,
    { status, body }: Accepted['answer'],
    waited: boolean,
  ): Promise<Answer> => {
    const plain = { status, body: JSON.stringify(body) };
    commit.remember(plain);
    if (!waited) return plain;
    const reply = await commit.reply;
    const outcome = reply ? JSON.parse(reply.body) : JSON.parse(queuedText(commit.id));
    return {
      status,
      body: JSON.stringify({ ...body, ...outcome, message: body.message }),
      headers: { 'Preference-Applied': 'wait' },
    };
  };

  const result = async (commit: Queued): Promise<Answer> => {
    const reply = await commit.reply;
    if (reply) {
      // Of people nothing is remembered here: asked again, the worker answers from what it has applied (docs/adr/0006).
      if (operation.dialect === 'scim' && operation.kind === 'write') commit.remember(reply);
      return reply;
    }
    // SCIM knows no "queued": its callers ask again.
    if (operation.kind === 'read' || operation.dialect === 'scim') throw rejectionWithRetry('UNAVAILABLE', 1);
    return { status: 202, body: queuedText(commit.id) };
  };

  const committed = async (prepared: Prepared, passage: Passage): Promise<Answer> => {
    const { submission } = prepared;
    const commit = await producer.commit(submission);
    if (commit.state === 'conflict') throw new Rejection('IDEMPOTENCY_KEY_REUSED');
    passage.id = commit.id;
    if (commit.state === 'replayed') return commit.answer;
    return operation.answer === 'result'
      ? result(commit)
      : receipt(commit, prepared.receipt, submission.waitMs > 0);
  };

  const refused = (error: unknown, passage: Passage): Answer => {
    passage.id ??= refusedId();
    const rejection = asRejection(error);
    if (rejection.code === 'INTERNAL')
      edge.log.error({ err: error, request: passage.id, op: operation.id }, 'bug');
    return rejectionAnswer(rejection, operation.dialect);
  };

  return async (request, response, ip, params) => {
    const started = performance.now();
    const passage: Passage = { entries: 0 };
    let answer: Answer;
    try {
      answer = await committed(await prepare(request, ip, params, passage), passage);
    } catch (error) {
      if (error instanceof Aborted) return;
      answer = refused(error, passage);
    }
    // What was not read can't be followed by another request on the same connection.
    const closing = edge.draining() || (takesBody && !request.complete);
    const asked = { id: passage.id ?? refusedId(), standing: passage.standing, closing };
    writeAnswer(response, asked, spoken(answer, request, operation.dialect));
    edge.observe(operation.id, answer.status, performance.now() - started, passage);
  };
};

const searchOf = ({ url = '' }: IncomingMessage): string => url.split('?', 2)[1] ?? '';

/** Those that the operation declares and the caller has sent. */
const declaredHeaders = (
  { request: { headers } }: Operation,
  sent: IncomingMessage,
): Record<string, string> | undefined => {
  if (!headers) return undefined;
  const found = Object.keys(headers.properties).flatMap((name) => {
    const value = sent.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
};
