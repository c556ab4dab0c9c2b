/** The indexes of data integrations: see ../indexes.ts. */
import { atExpiry, by, type IndexTable, partialBy } from '../shapes/index-shape.ts';

export const integrationIndexes: IndexTable = {
  integrations: {
    by_workspace: by(['ws', 'created'], 'The integrations of a workspace, page by page.'),
    by_schedule: partialBy(
      ['schedule'],
      'The integrations that are synced by themselves: their schedulers are compared with Redis.',
    ),
  },
  sync_jobs: {
    by_integration: {
      key: { integration: 1, n: -1 },
      reason: 'The jobs of an integration, page by page.',
    },
    by_due: partialBy(['due'], 'The jobs that run, and that no process has.'),
    by_expiry: atExpiry('Removes jobs 30 days after their end.'),
  },
  sync_chunks: {
    by_state: by(
      ['integration', 'state', 'at'],
      'The requests of an integration that are not known to be applied, and what is remembered of its rows.',
    ),
  },
  sync_kept: {
    by_gone: by(
      ['integration', 'gone'],
      'What is kept of the rows of an integration, and of those the rows that are to be removed.',
    ),
  },
  sync_rows: {
    by_person: partialBy(['person'], 'The failed rows about people who are erased.'),
    by_integration: by(['integration'], 'The failed rows of an integration that is deleted.'),
    by_expiry: atExpiry('Removes failed rows after 30 days.'),
  },
  sync_retries: {
    by_key: by(
      ['integration', 'key'],
      'The rows of an integration that are tried again, and those of them that have changed.',
    ),
    by_person: partialBy(['person'], 'The rows about people who are erased.'),
    by_expiry: atExpiry('Removes rows that no job has tried for 30 days.'),
  },
};
