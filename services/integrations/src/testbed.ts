/** For tests: a store of their own, and a workspace with connections. */
import type { Connection } from '@roster/access';
import type { Store } from '@roster/store';
import { createTestCaller, useStore } from '@roster/testkit';
import { createAnswer } from './handlers.ts';

const connections: readonly Connection[] = [
  { id: 'warehouse', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_WAREHOUSE' } },
  { id: 'archive', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_ARCHIVE' } },
  { id: 'exports', kind: 'files', folder: 'shop', format: 'csv' },
];

const callerOf = (store: Store) =>
  createTestCaller(
    createAnswer({
      store,
      connectionOf: async (_ws, id) => connections.find((one) => one.id === id),
    }),
  );

type IntegrationsTestbed = ReturnType<typeof callerOf>;

/** One for the tests of a file; each test finds no integrations. */
export const useTestbed = (): { store: Store; test: IntegrationsTestbed } => {
  const store = useStore();
  const test = {} as IntegrationsTestbed;
  beforeAll(() => Object.assign(test, callerOf(store)));
  beforeEach(async () => {
    for (const collection of Object.values(store.syncs)) await collection.deleteMany({});
  });
  return { store, test };
};

export const customers = {
  integration_name: 'Customers',
  connection: 'warehouse',
  table: 'customers',
  data: 'attributes',
} as const;

export const makeIntegration = async (
  { send }: Pick<IntegrationsTestbed, 'send'>,
  more: object = {},
): Promise<string> => {
  const { body } = await send('cdi.integration_create', { body: { ...customers, ...more } });
  return String(body.integration_id);
};
