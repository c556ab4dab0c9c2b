/** What the operations of data integrations have in common. */
import { Type } from '@sinclair/typebox';
import { label, maybe, objectShape, oneOf, text, textOrNull } from '../../shape.ts';
import { readRow as exportRow } from '../read-row.ts';
import { dataKinds } from './members.ts';

export const readRow = { ...exportRow, queue: 'integrations', tag: 'Data integrations' } as const;

/** Its worker keeps which key made the change. */
export const writeRow = { ...readRow, method: 'POST', kind: 'write', signed: true } as const;

export const integrationId = label('Id of the integration.');

export const ofIntegration = Type.Object({ integration_id: integrationId });

export const cursorQuery = Type.Object({
  cursor: maybe(text('Another page: as it stands in the `Link` of an answer.', { maxLength: 255 })),
});

export const exampleId = '3f0a8c52-6f0d-8b1e-8d3c-7a5b9e2c4d60';
export const exampleJob = '9b1d2e7c-4a60-8f35-8c1b-0d6e5f4a3b2c';

export const paged =
  '10 at a time. `Link` leads to the page before (`rel="prev"`) and after (`rel="next"`), and is absent where there is none; pages stay right while others are added.';

export const integration = objectShape('DataIntegration', 'A data integration.', {
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

export const exampleIntegration = {
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
