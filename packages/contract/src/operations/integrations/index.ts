/** Data integrations: tables whose rows are synced. */
import { integrationCreate, integrationDelete, integrationSync, integrationUpdate } from './changes.ts';
import { integrationGet, integrationList, jobRows, jobSyncStatus } from './reads.ts';

export const integrationOperations = [
  integrationList,
  integrationCreate,
  integrationGet,
  integrationUpdate,
  integrationDelete,
  integrationSync,
  jobSyncStatus,
  jobRows,
] as const;
