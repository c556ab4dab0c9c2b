// A workspace whose data integrations may read a folder: nothing is in it, as these tests are about the integrations themselves.
import type { Client } from './client.ts';
import type { System } from './system.ts';

const connection = { id: 'exports', kind: 'files', folder: '/var/empty', format: 'ndjson' };

export const openTables = (system: System): Promise<Client> =>
  system.newWorkspace('tables', { integrations: { connections: [connection] } });

export const tableOf = (integration_name: string) => ({
  integration_name,
  connection: connection.id,
  data: 'attributes',
});
