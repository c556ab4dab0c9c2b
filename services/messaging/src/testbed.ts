/** For tests: a store of their own, and requests as the ingress would have accepted them, answered in this process. */
import {
  type AcceptedRequest,
  createAnswerCheck,
  createJudge,
  errorBodyIn,
  isRejection,
  type JudgeSettings,
  type OperationId,
  operationById,
  type Query,
} from '@roster/contract';
import { openLiquid } from '@roster/liquid';
import type { Store } from '@roster/store';
import { useStore } from '@roster/testkit';
import { createAnswer } from './answer.ts';
import { createLinks } from './links/link.ts';
import { createPageUrls } from './links/page-urls.ts';
import { createSenderSettings } from './sending/settings.ts';

const judge = createJudge();
const wrongWith = createAnswerCheck();

const settings: JudgeSettings = {
  maxUpdates: 50,
  blockedExternalIds: new Set(),
  suspiciousExternalIds: new Set(),
  groups: new Map(),
  apps: new Set(['shop']),
  tags: new Set(['footer', 'legal']),
};

interface Sent {
  ws?: string;
  by?: string;
  /** Of the request; a new one unless said otherwise. */
  at?: number;
  query?: Query;
  params?: Record<string, string>;
}

interface Answered {
  status: number;
  body: Record<string, unknown>;
}

/** 2025-11-13T02:13:20.000Z */
let clock = 1_763_000_000_000_000;

const nextStamp = (): number => {
  clock += 1_000_000;
  return clock;
};

const requestOf = (
  op: OperationId,
  body: unknown,
  { ws = 'demo', by = 'key1', at = nextStamp(), query, params }: Sent,
): AcceptedRequest => {
  const operation = operationById(op);
  if (!operation) throw new Error(`no operation ${op}`);
  const verdict = judge(operation, { body, ...(query && { query }), ...(params && { params }) }, settings);
  if (!verdict.ok) throw verdict.rejection;
  return { id: `r${at.toString(36)}-00000000`, ws, op, at, by, ...verdict.accepted };
};

export const createTestbed = (store: Store) => {
  const liquid = openLiquid();
  const links = createLinks('a secret for tests only');
  const answer = createAnswer({
    store,
    liquidOf: () => liquid,
    urls: createPageUrls({ links, base: 'https://preferences.example.com', days: 60 }),
    settingsOf: createSenderSettings(store),
    fresh: async () => true,
  });

  const deliver = async (request: AcceptedRequest): Promise<Answered> => {
    const [reply] = await answer([request]);
    if (!reply) throw new Error('no reply');
    const body = JSON.parse(reply.body);
    const operation = operationById(request.op);
    const wrong = operation && reply.status < 300 && wrongWith(operation, reply.status, body);
    if (wrong) throw new Error(`not as documented: ${wrong}`);
    return { status: reply.status, body };
  };

  return {
    requestOf,
    deliver,
    /** As a caller sees it: what the judge refuses never reaches the worker. */
    async send(op: OperationId, body: unknown, sent: Sent = {}): Promise<Answered> {
      try {
        return await deliver(requestOf(op, body, sent));
      } catch (error) {
        if (!isRejection(error)) throw error;
        return { status: error.status, body: { ...errorBodyIn(operationById(op)?.dialect, error) } };
      }
    },
  };
};

type Testbed = ReturnType<typeof createTestbed>;

/** One for the tests of a file; each test finds no content. */
export const useTestbed = (): { store: Store; test: Testbed } => {
  const store = useStore();
  const test = {} as Testbed;
  beforeAll(() => Object.assign(test, createTestbed(store)));
  beforeEach(async () => {
    for (const collection of [
      ...Object.values(store.content),
      ...Object.values(store.messages),
      store.preferenceCenters,
    ])
      await collection.deleteMany({});
    await store.requests.deleteMany({});
  });
  return { store, test };
};
