import { companyScope, limitFor, mayUse, type WorkspaceSettings } from '@roster/access';
import {
  type JudgeSettings,
  type Operation,
  Rejection,
  rejectionWithRetry,
  type Verdict,
} from '@roster/contract';
import { type Commit, fingerprint, refusedId, type Submission } from '@roster/queue';
import type { Request, Response } from 'express';
import { type Answer, asRejection, writeAnswer } from './answer.ts';
import { Aborted, type Body, readBody } from './body.ts';
import { rejectionAnswer, spoken } from './dialect.ts';
import type { Edge } from './edge.ts';
import type { Standing } from './limiter.ts';
import { idempotencyKeyIn, preferredWaitMs } from './prefer.ts';

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

/** What has to be known of a workspace, or of a company in its place. */
type Scope = Pick<WorkspaceSettings, 'id' | 'limits' | 'track'>;

/** A company tracks nobody. */
const noTrack = { max_updates: 0, blocked_external_ids: [], keep_event_properties: false };

const judgeSettings = new WeakMap<Scope, JudgeSettings>();

/** Made once for each copy of the settings, not for each request. */
const judgeSettingsOf = (settings: Scope): JudgeSettings => {
  const known = judgeSettings.get(settings);
  if (known) return known;
  const { max_updates, blocked_external_ids } = settings.track;
  const made = { maxUpdates: max_updates, blockedExternalIds: new Set(blocked_external_ids) };
  judgeSettings.set(settings, made);
  return made;
};

const retryAfter = (standing: Standing): number => standing.reset - Date.now() / 1000;

const nothing = Buffer.alloc(0);

/** The bytes as they came in, unless the judge had to change something. */
const bytesOf = (body: Body | undefined, accepted: unknown): Buffer => {
  if (accepted === undefined) return nothing;
  return body && accepted === body.value ? body.bytes : Buffer.from(JSON.stringify(accepted));
};

const queuedText = (id: string): string =>
  JSON.stringify({ message: 'success', request_id: id, state: 'queued' });

/** The life of a request (DESIGN section 4), for any row of the table: authenticate, limit, read, judge, commit, answer. */
export const createOperationHandler = (operation: Operation, edge: Edge) => {
  const { directory, limiter, pressure, producer, judge, resultTimeoutMs } = edge;
  const takesBody = operation.request.body !== undefined;

  const admitProvisioner = async (request: Request, passage: Passage): Promise<Scope> => {
    const { authorization, 'x-request-origin': sent } = request.headers;
    const origin = Array.isArray(sent) ? sent[0] : sent;
    const access = await directory.authenticateScim({ authorization, origin, ip: request.ip ?? '' });
    if (access.ok) {
      const id = companyScope(access.company.id);
      Object.assign(passage, { ws: id, by: access.token.id });
      return { id, limits: access.company.limits, track: noTrack };
    }
    if (access.code === 'UNAVAILABLE') throw rejectionWithRetry('UNAVAILABLE', 1);
    throw new Rejection('SCIM_TOKEN_INVALID', { headers: { 'WWW-Authenticate': 'Bearer' } });
  };

  const admit = async (request: Request, passage: Passage): Promise<Scope> => {
    if (operation.auth === 'scim') return admitProvisioner(request, passage);
    const ip = request.ip ?? '';
    const asked = directory.authenticate(request.headers.authorization, ip);
    const access = asked instanceof Promise ? await asked : asked;
    if (!access.ok) {
      if (access.code === 'UNAVAILABLE') throw rejectionWithRetry('UNAVAILABLE', 1);
      throw new Rejection(access.code === 'ACCESS_DENIED' ? 'ACCESS_DENIED' : 'API_KEY_INVALID');
    }
    passage.ws = access.settings.id;
    const { permission } = operation;
    if (mayUse(access.key, { permission, ip, now: Date.now() }) !== 'ok')
      throw new Rejection('ACCESS_DENIED');
    return access.settings;
  };

  const limit = async (settings: Scope, passage: Passage): Promise<void> => {
    const rate = limitFor(settings, operation.limit);
    const asked = limiter.take(settings.id, rate.pool, rate);
    passage.standing = asked instanceof Promise ? await asked : asked;
    if (!passage.standing.ok) throw rejectionWithRetry('RATE_LIMITED', retryAfter(passage.standing));
    if (pressure.refusal()) throw rejectionWithRetry('OVERLOADED', 2);
  };

  const judged = (request: Request, settings: Scope, body: Body | undefined): Accepted => {
    const input = {
      ...(body && { body: body.value }),
      ...(operation.request.params && { params: request.params as Record<string, string> }),
      ...(operation.request.query && { query: queryOf(request) }),
    };
    const verdict = judge(operation, input, judgeSettingsOf(settings));
    if (!verdict.ok) throw verdict.rejection;
    return verdict;
  };

  const waitMs = (request: Request): number =>
    operation.answer === 'result' ? resultTimeoutMs : preferredWaitMs(request.headers);

  const submission = (
    request: Request,
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

  const receipt = async (
    commit: Extract<Commit, { state: 'queued' }>,
    accepted: Accepted,
    waited: boolean,
  ): Promise<Answer> => {
    const { status, body } = accepted.answer;
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

  const result = async (commit: Extract<Commit, { state: 'queued' }>): Promise<Answer> => {
    const reply = await commit.reply;
    if (reply) {
      if (operation.kind === 'write') commit.remember(reply);
      return reply;
    }
    // SCIM knows no "queued": its callers ask again.
    if (operation.kind === 'read' || operation.dialect === 'scim') throw rejectionWithRetry('UNAVAILABLE', 1);
    return { status: 202, body: queuedText(commit.id) };
  };

  const committed = async (submitted: Submission, accepted: Accepted, passage: Passage): Promise<Answer> => {
    const commit = await producer.commit(submitted);
    if (commit.state === 'conflict') throw new Rejection('IDEMPOTENCY_KEY_REUSED');
    passage.id = commit.id;
    if (commit.state === 'replayed') return commit.answer;
    return operation.answer === 'result' ? result(commit) : receipt(commit, accepted, submitted.waitMs > 0);
  };

  const pass = async (request: Request, passage: Passage): Promise<Answer> => {
    const settings = await admit(request, passage);
    await limit(settings, passage);
    const body = takesBody ? await readBody(request, operation.bodyLimit) : undefined;
    const accepted = judged(request, settings, body);
    passage.entries = accepted.entries;
    return committed(submission(request, passage, accepted, body), accepted, passage);
  };

  return async (request: Request, response: Response): Promise<void> => {
    const started = performance.now();
    const passage: Passage = { entries: 0 };
    let answer: Answer;
    try {
      answer = await pass(request, passage);
    } catch (error) {
      if (error instanceof Aborted) return;
      passage.id ??= refusedId();
      const rejection = asRejection(error);
      if (rejection.code === 'INTERNAL')
        edge.log.error({ err: error, request: passage.id, op: operation.id }, 'bug');
      answer = rejectionAnswer(rejection, operation.dialect);
    }
    // What was not read can't be followed by another request on the same connection.
    const closing = edge.draining() || (takesBody && !request.complete);
    const asked = { id: passage.id ?? refusedId(), standing: passage.standing, closing };
    writeAnswer(response, asked, spoken(answer, request, operation.dialect));
    edge.observe(operation.id, answer.status, performance.now() - started, passage);
  };
};

/** Those that the operation declares and the caller has sent. */
const declaredHeaders = (
  { request: { headers } }: Operation,
  sent: Request,
): Record<string, string> | undefined => {
  if (!headers) return undefined;
  const found = Object.keys(headers.properties).flatMap((name) => {
    const value = sent.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
};

const queryOf = (request: Request): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(request.url.split('?', 2)[1] ?? ''));
