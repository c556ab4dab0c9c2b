/** The indexes of data integrations: see ../indexes.ts. */
import { byExpiry, type Index } from '../shapes/index-shape.ts';

export const integrationIndexes: readonly Index[] = [
  {
    collection: 'integrations',
    name: 'by_workspace',
    key: { ws: 1, created: 1 },
    reason: 'The integrations of a workspace, page by page.',
  },
  {
    collection: 'integrations',
    name: 'by_schedule',
    key: { schedule: 1 },
    options: { partialFilterExpression: { schedule: { $exists: true } } },
    reason: 'The integrations that are synced by themselves: their schedulers are compared with Redis.',
  },
  {
    collection: 'sync_jobs',
    name: 'by_integration',
    key: { integration: 1, n: -1 },
    reason: 'The jobs of an integration, page by page.',
  },
  {
    collection: 'sync_jobs',
    name: 'by_due',
    key: { due: 1 },
    options: { partialFilterExpression: { due: { $exists: true } } },
    reason: 'The jobs that run, and that no process has.',
  },
  byExpiry('sync_jobs', 'Removes jobs 30 days after their end.'),
  {
    collection: 'sync_chunks',
    name: 'by_state',
    key: { integration: 1, state: 1, at: 1 },
    reason:
      'The requests of an integration that are not known to be applied, and what is remembered of its rows.',
  },
  {
    collection: 'sync_kept',
    name: 'by_gone',
    key: { integration: 1, gone: 1 },
    reason: 'What is kept of the rows of an integration, and of those the rows that are to be removed.',
  },
  {
    collection: 'sync_rows',
    name: 'by_person',
    key: { person: 1 },
    options: { partialFilterExpression: { person: { $exists: true } } },
    reason: 'The failed rows about people who are erased.',
  },
  {
    collection: 'sync_rows',
    name: 'by_integration',
    key: { integration: 1 },
    reason: 'The failed rows of an integration that is deleted.',
  },
  byExpiry('sync_rows', 'Removes failed rows after 30 days.'),
  {
    collection: 'sync_retries',
    name: 'by_key',
    key: { integration: 1, key: 1 },
    reason: 'The rows of an integration that are tried again, and those of them that have changed.',
  },
  {
    collection: 'sync_retries',
    name: 'by_person',
    key: { person: 1 },
    options: { partialFilterExpression: { person: { $exists: true } } },
    reason: 'The rows about people who are erased.',
  },
  byExpiry('sync_retries', 'Removes rows that no job has tried for 30 days.'),
];
