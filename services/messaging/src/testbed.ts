/** For tests: a store of their own, and requests as the ingress would have accepted them, answered in this process. */
import { openChannels } from '@roster/channels';
import type { OperationId } from '@roster/contract';
import { openLiquid } from '@roster/liquid';
import type { PreferenceCenterDocument, Store } from '@roster/store';
import { createTestCaller, useStore } from '@roster/testkit';
import { createAnswer } from './answer.ts';
import { createLinks } from './links/link.ts';
import { createPageUrls } from './links/page-urls.ts';
import { createSenderSettings } from './sending/settings.ts';

type Caller = ReturnType<typeof createTestCaller>;
type Sent = Omit<NonNullable<Parameters<Caller['send']>[1]>, 'body'>;

export const createTestbed = (store: Store) => {
  const liquid = openLiquid();
  const links = createLinks('a secret for tests only');
  const answer = createAnswer({
    store,
    liquidOf: () => liquid,
    urls: createPageUrls({ links, base: 'https://preferences.example.com', days: 60 }),
    settingsOf: createSenderSettings(store),
    emailFault: openChannels().emailFault,
    fresh: async () => true,
  });

  const caller = createTestCaller(answer, {
    apps: new Set(['shop']),
    tags: new Set(['footer', 'legal']),
  });
  return {
    deliver: caller.deliver,
    requestOf: (op: OperationId, body: unknown, sent: Sent) => caller.requestOf(op, { body, ...sent }),
    send: (op: OperationId, body: unknown, sent: Sent = {}) => caller.send(op, { body, ...sent }),
  };
};

/** A refusal in these words, with its code. */
export const refused = (message: unknown, more: object = {}, status = 400) => ({
  status,
  body: { message, code: expect.stringMatching(/^[A-Z_]+$/), ...more },
});

/** An active preference center of the workspace `demo`. */
export const aCenter = (more: Partial<PreferenceCenterDocument> = {}): PreferenceCenterDocument => ({
  ...{ _id: 'c-1', ws: 'demo', name: 'own', title: 'Own', page: 'x', confirmation: 'x', state: 'active' },
  ...{ options: { links: [] }, includes: [], created: 1, edited: 1 },
  ...more,
});

type Testbed = ReturnType<typeof createTestbed>;

/** One for the tests of a file; each test finds no content. */
export const useTestbed = (store = useStore()): { store: Store; test: Testbed } => {
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
