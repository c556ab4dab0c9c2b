/** The indexes of data integrations: see ../indexes.ts. */
import { atExpiry, type IndexTable, wherever } from '../shapes/index-shape.ts';

export const integrationIndexes: IndexTable = {
  integrations: {
    by_workspace: {
      key: { ws: 1, created: 1 },
      reason: 'The integrations of a workspace, page by page.',
    },
    by_schedule: {
      key: { schedule: 1 },
      options: wherever('schedule'),
      reason: 'The integrations that are synced by themselves: their schedulers are compared with Redis.',
    },
  },
  sync_jobs: {
    by_integration: {
      key: { integration: 1, n: -1 },
      reason: 'The jobs of an integration, page by page.',
    },
    by_due: {
      key: { due: 1 },
      options: wherever('due'),
      reason: 'The jobs that run, and that no process has.',
    },
    by_expiry: atExpiry('Removes jobs 30 days after their end.'),
  },
  sync_chunks: {
    by_state: {
      key: { integration: 1, state: 1, at: 1 },
      reason:
        'The requests of an integration that are not known to be applied, and what is remembered of its rows.',
    },
  },
  sync_kept: {
    by_gone: {
      key: { integration: 1, gone: 1 },
      reason: 'What is kept of the rows of an integration, and of those the rows that are to be removed.',
    },
  },
  sync_rows: {
    by_person: {
      key: { person: 1 },
      options: wherever('person'),
      reason: 'The failed rows about people who are erased.',
    },
    by_integration: {
      key: { integration: 1 },
      reason: 'The failed rows of an integration that is deleted.',
    },
    by_expiry: atExpiry('Removes failed rows after 30 days.'),
  },
  sync_retries: {
    by_key: {
      key: { integration: 1, key: 1 },
      reason: 'The rows of an integration that are tried again, and those of them that have changed.',
    },
    by_person: {
      key: { person: 1 },
      options: wherever('person'),
      reason: 'The rows about people who are erased.',
    },
    by_expiry: atExpiry('Removes rows that no job has tried for 30 days.'),
  },
};
