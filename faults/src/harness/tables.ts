// A workspace whose data integrations may read a folder. Nothing is read from it: these tests are about the integrations themselves.
import type { Client } from './client.ts';
import type { System } from './system.ts';

const connection = { id: 'exports', kind: 'files', folder: 'exports', format: 'ndjson' };

export const openTables = (system: System): Promise<Client> =>
  system.newWorkspace('tables', { integrations: { connections: [connection] } });

export const integrationOf = (integration_name: string) => ({
  integration_name,
  connection: connection.id,
  data: 'attributes',
});
