/** GET /cdi/integrations, /cdi/integrations/{integration_id}, its jobs, and the rows that failed in a job. */
import { type TObject, Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import {
  anyObject,
  count,
  countOrNull,
  label,
  listOf,
  maybe,
  objectShape,
  oneOf,
  text,
  textOrNull,
} from '../../shape.ts';
import { successAnswer } from '../answers.ts';
import { exampleId, integrationId, ofIntegration, readRow } from './common.ts';
import { dataKinds } from './members.ts';

const cursorQuery = Type.Object({
  cursor: maybe(text('Another page: as it stands in the `Link` of an answer.', { maxLength: 255 })),
});

/** A page, of what `Link` leads through. */
const pageOf = <Item extends TObject>(name: string, item: Item) => ({
  200: successAnswer(name, 'A page of them.', { results: listOf(item, 'At most 10.') }),
});

const exampleJob = '9b1d2e7c-4a60-8f35-8c1b-0d6e5f4a3b2c';

const paged =
  '10 at a time. `Link` leads to the page before (`rel="prev"`) and after (`rel="next"`), and is absent where there is none; pages stay right while others are added.';

const integration = objectShape('DataIntegration', 'A data integration.', {
  integration_id: integrationId,
  app_group_id: text('The workspace.'),
  integration_name: text('What people call it.'),
  integration_type: oneOf(dataKinds, 'What its rows are.'),
  integration_status: oneOf(
    ['draft', 'active', 'paused', 'error'],
    '`draft` until its source has been read once; `error` when the last job did not finish.',
  ),
  contact_emails: text('Whom to ask about it.'),
  last_updated_at: textOrNull('The last timestamp that was synced, ISO 8601.'),
  warehouse_type: text('Kind of the source: the `kind` of its connection, such as `postgresql`.'),
  last_job_start_time: textOrNull('ISO 8601.'),
  last_job_status: textOrNull('Of the last job: see `job_status`.'),
  next_scheduled_run: textOrNull('ISO 8601; null without a schedule and while it is paused.'),
});

const exampleIntegration = {
  integration_id: exampleId,
  app_group_id: 'demo',
  integration_name: 'Customers of the shop',
  integration_type: 'attributes',
  integration_status: 'active',
  contact_emails: 'data@example.com',
  last_updated_at: '2026-01-31T11:58:02.123456Z',
  warehouse_type: 'postgresql',
  last_job_start_time: '2026-01-31T12:00:00.000Z',
  last_job_status: 'success',
  next_scheduled_run: '2026-01-31T12:15:00.000Z',
};

export const integrationList = operation({
  ...readRow,
  id: 'cdi.integration_list',
  path: '/cdi/integrations',
  limit: { pool: 'cdi.integration_list', requests: 50, seconds: 60 },
  summary: 'The data integrations of the workspace',
  description: `In the order of their creation, ${paged}`,
  links: true,
  request: { query: cursorQuery },
  responses: pageOf('DataIntegrations', integration),
  rejections: ['INTEGRATION_CURSOR_INVALID'],
  examples: [example('The first page', { 200: { results: [exampleIntegration] } })],
});

export const integrationGet = operation({
  ...readRow,
  id: 'cdi.integration_get',
  path: '/cdi/integrations/{integration_id}',
  summary: 'A data integration with its settings',
  description: 'As it is in the list, and with the settings that it was given.',
  request: { params: ofIntegration },
  responses: {
    200: successAnswer('DataIntegrationDetails', 'The integration.', {
      ...integration.properties,
      settings: anyObject('As they were sent.'),
    }),
  },
  rejections: ['INTEGRATION_ID_INVALID', 'INTEGRATION_UNKNOWN'],
  examples: [
    example('One of a PostgreSQL table', {
      params: { integration_id: exampleId },
      200: {
        ...exampleIntegration,
        settings: { connection: 'warehouse', table: 'customers', schedule: { every: '15_minutes' } },
      },
    }),
  ],
});

const job = objectShape('SyncJob', 'A sync job.', {
  job_id: text('Id of the job: use it to read the rows that failed.'),
  job_status: oneOf(
    ['running', 'success', 'partial', 'error', 'config_error'],
    '`partial`: all rows were read, and some failed. `error`: it did not finish. `config_error`: it cannot finish before settings change.',
  ),
  sync_start_time: text('ISO 8601.'),
  sync_finish_time: textOrNull('ISO 8601; null while it runs.'),
  last_timestamp_synced: textOrNull('The `UPDATED_AT` of the last row, ISO 8601.'),
  rows_synced: count('Rows that were applied.'),
  rows_failed_with_errors: count('Rows that were not.'),
  rows_expected: maybe(count('How many rows there are, about, where the source can tell.')),
  rows_without_time: maybe(
    countOrNull(
      'Rows that were not read, as they have no `UPDATED_AT`; absent when there are none, null when the source took too long to count them.',
    ),
  ),
  rows_late: maybe(
    count(
      'Rows of files that came or changed since the job before, with an `UPDATED_AT` before the place from which this job read: they were not read. Absent when there are none.',
    ),
  ),
  reason: maybe(text('Why it did not finish, or why it waits.')),
  log_error: maybe(text('Why the log lacks rows of this job.')),
});

export const jobSyncStatus = operation({
  ...readRow,
  id: 'cdi.integration_job_status',
  path: '/cdi/integrations/{integration_id}/job_sync_status',
  limit: { pool: 'cdi.integration_job_status', requests: 100, seconds: 60 },
  summary: 'The sync jobs of a data integration',
  description: `The latest first, ${paged} Jobs are kept for 30 days after their end.`,
  links: true,
  request: { params: ofIntegration, query: cursorQuery },
  responses: pageOf('SyncJobs', job),
  rejections: ['INTEGRATION_ID_INVALID', 'INTEGRATION_CURSOR_INVALID'],
  examples: [
    example('One job', {
      params: { integration_id: exampleId },
      200: {
        results: [
          {
            job_id: exampleJob,
            job_status: 'partial',
            sync_start_time: '2026-01-31T12:00:00.000Z',
            sync_finish_time: '2026-01-31T12:00:09.412Z',
            last_timestamp_synced: '2026-01-31T11:58:02.123456Z',
            rows_synced: 1204,
            rows_failed_with_errors: 2,
          },
        ],
      },
    }),
  ],
});

const failedRow = objectShape('FailedRow', 'A row that failed.', {
  reason: text('Why it was not applied: the sentence of its error, or the reason of its outcome.'),
  updated_at: textOrNull('Its `UPDATED_AT`.'),
  row: text('The row as JSON, cut after 4,096 characters.'),
  request_id: maybe(text('The request that carried it.')),
});

export const jobRows = operation({
  ...readRow,
  id: 'cdi.integration_job_rows',
  path: '/cdi/integrations/{integration_id}/jobs/{job_id}/rows',
  summary: 'The rows that failed in a sync job',
  description: `In the order in which they were read, ${paged} The first 10,000 rows of a job are kept for 30 days. People who are erased are erased here too.`,
  links: true,
  request: {
    params: Type.Object({
      integration_id: integrationId,
      job_id: label('Id of the job.'),
    }),
    query: cursorQuery,
  },
  responses: pageOf('FailedRows', failedRow),
  rejections: ['INTEGRATION_ID_INVALID', 'SYNC_JOB_UNKNOWN', 'INTEGRATION_CURSOR_INVALID'],
  examples: [
    example('A row without an identifier', {
      params: { integration_id: exampleId, job_id: exampleJob },
      200: {
        results: [
          {
            reason: 'the column external_id is empty',
            updated_at: '2026-01-31T11:50:00Z',
            row: '{"external_id":null,"payload":{"plan":"gold"},"updated_at":"2026-01-31T11:50:00Z"}',
          },
        ],
      },
    }),
  ],
});
