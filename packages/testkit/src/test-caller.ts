/** A caller of a worker that answers: what it sends was judged as by the ingress, and each answer is held to what its operation documents. */
import {
  type AcceptedRequest,
  errorBodyIn,
  holdsLong,
  isRejection,
  type JudgeSettings,
  type OperationId,
  operationById,
  operationOf,
  packExact,
  parseExact,
  type Query,
} from '@roster/contract';
import { aJudgeSettings, createAnswerCheck, createLateJudge } from '@roster/judge';

interface Sent {
  ws?: string;
  by?: string;
  /** Of the request; a new one unless said otherwise. */
  at?: number;
  body?: unknown;
  query?: Query;
  params?: Record<string, string>;
}

interface Answered {
  status: number;
  body: Record<string, unknown>;
  link?: string | undefined;
}

interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string> | undefined;
}

/** Of a worker. */
type Answer = (requests: readonly AcceptedRequest[]) => Promise<readonly Reply[]>;

/** 2025-11-13T02:13:20.000Z */
let clock = 1_763_000_000_000_000;

const nextStamp = (): number => {
  clock += 1_000_000;
  return clock;
};

/** In a workspace without limits, groups, apps and tags, but for those that are given. */
export const createTestCaller = (answer: Answer, known: Partial<JudgeSettings> = {}) => {
  const judge = createLateJudge();
  const wrongWith = createAnswerCheck();
  const settings = aJudgeSettings({ groups: new Map(), apps: new Set(), tags: new Set(), ...known });

  const requestOf = (
    op: OperationId,
    { ws = 'demo', by = 'key1', at = nextStamp(), ...input }: Sent = {},
  ): AcceptedRequest => {
    const operation = operationOf(op);
    const exact = holdsLong(input.body);
    const verdict = judge(operation, { ...input, exact }, settings);
    if (!verdict.ok) throw verdict.rejection;
    const { body, ...accepted } = verdict.accepted;
    return {
      id: `r${at.toString(36)}-00000000`,
      ws,
      op,
      at,
      by,
      ...accepted,
      // As it comes out of the queue.
      ...(body !== undefined && { body: exact ? JSON.parse(packExact(body)) : body }),
      ...(exact && { exact }),
    };
  };

  const deliver = async (request: AcceptedRequest): Promise<Answered> => {
    const [reply] = await answer([request]);
    if (!reply) throw new Error('no reply');
    const body = parseExact(reply.body) as Record<string, unknown>;
    const operation = operationById(request.op);
    const wrong = operation && reply.status < 300 && wrongWith(operation, reply.status, body);
    if (wrong) throw new Error(`not as documented: ${wrong}`);
    return { status: reply.status, body, link: reply.headers?.Link };
  };

  return {
    requestOf,
    deliver,
    /** As a caller sees it: what the judge refuses never reaches the worker. */
    async send(op: OperationId, sent?: Sent): Promise<Answered> {
      try {
        return await deliver(requestOf(op, sent));
      } catch (error) {
        if (!isRejection(error)) throw error;
        return { status: error.status, body: { ...errorBodyIn(operationById(op)?.dialect, error) } };
      }
    },
  };
};
