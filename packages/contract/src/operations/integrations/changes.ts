/** POST /cdi/integrations, PATCH and DELETE of one, and POST /cdi/integrations/{integration_id}/sync. */
import { Type } from '@sinclair/typebox';
import { type BodyRule, example, type JsonObject, operation } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { isJsonObject } from '../../types.ts';
import { queuedAnswer, resultOrQueued, successAnswer } from '../answers.ts';
import { refusedAs } from '../examples.ts';
import { exampleId, integrationId, ofIntegration, writeRow } from './common.ts';
import { changedIntegration, newIntegration } from './members.ts';

/** What of its settings does not go together. */
type Check = (body: JsonObject) => string | undefined;

const oneOfBoth: Check = ({ payload, columns }) =>
  payload !== undefined && columns !== undefined ? 'payload and columns exclude each other' : undefined;

const labelled: Check = ({ identifier }) => {
  if (!isJsonObject(identifier)) return undefined;
  const labels = ['label', 'label_column'].filter((name) => identifier[name] !== undefined).length;
  if (identifier.by === 'user_alias')
    return labels === 1 ? undefined : 'identifier needs either label or label_column for an alias';
  return labels === 0 ? undefined : 'identifier.label and identifier.label_column are for an alias';
};

const timed: Check = ({ schedule }) => {
  if (!isJsonObject(schedule)) return undefined;
  const { every, at, weekday, day } = schedule;
  if (at !== undefined && !['day', 'week', 'month'].includes(String(every)))
    return 'schedule.at goes with day, week and month';
  if (weekday !== undefined && every !== 'week') return 'schedule.weekday goes with week';
  return day !== undefined && every !== 'month' ? 'schedule.day goes with month' : undefined;
};

const refuseSettings: BodyRule = (body) => {
  const message = oneOfBoth(body) ?? labelled(body) ?? timed(body);
  return message === undefined ? undefined : new Rejection('INTEGRATION_INVALID', { message });
};

const unknown = ['INTEGRATION_ID_INVALID', 'INTEGRATION_UNKNOWN'] as const;

export const integrationCreate = operation({
  ...writeRow,
  id: 'cdi.integration_create',
  path: '/cdi/integrations',
  success: 201,
  summary: 'Create a data integration',
  description:
    'Rows of a table become profiles, events, purchases, deletes or subscription states. A connection in the settings of the workspace says where the table is, and with which credentials it is read: docs/integrations.md.',
  request: { body: newIntegration },
  rules: [refuseSettings],
  responses: resultOrQueued('DataIntegrationCreated', 'It is a draft until its source has been read once.', {
    integration_id: integrationId,
  }),
  rejections: ['INTEGRATION_INVALID', 'CONNECTION_UNKNOWN', 'INTEGRATIONS_FULL'],
  examples: [
    example('A table of customers', {
      body: {
        integration_name: 'Customers of the shop',
        contact_emails: 'data@example.com',
        connection: 'warehouse',
        table: 'customers',
        data: 'attributes',
        identifier: { by: 'external_id', column: 'external_id' },
        schedule: { every: '15_minutes' },
      },
      201: { integration_id: exampleId },
    }),
    example('Orders, with a column for each member', {
      body: {
        integration_name: 'Orders',
        connection: 'warehouse',
        table: 'shop.orders',
        data: 'purchases',
        identifier: { by: 'email', column: 'buyer_email' },
        key: 'order_id',
        columns: { product_id: 'sku', currency: 'currency', price: 'price', time: 'ordered_at' },
        schedule: { every: 'day', at: '03:30' },
      },
      201: { integration_id: exampleId },
    }),
  ],
});

export const integrationUpdate = operation({
  ...writeRow,
  id: 'cdi.integration_update',
  method: 'PATCH',
  path: '/cdi/integrations/{integration_id}',
  success: 200,
  summary: 'Change, pause or resume a data integration',
  description:
    'Members that are left out stay as they are. A running job keeps the settings it began with; `paused` ends it at its next page.',
  request: { params: ofIntegration, body: changedIntegration },
  rules: [
    (body) =>
      Object.keys(changedIntegration.properties).some((name) => body[name] !== undefined)
        ? undefined
        : new Rejection('INTEGRATION_INVALID', { message: 'nothing is to be changed' }),
    refuseSettings,
  ],
  responses: { 200: successAnswer('DataIntegrationUpdated', 'It is changed.', {}), 202: queuedAnswer },
  rejections: [...unknown, 'INTEGRATION_INVALID', 'CONNECTION_UNKNOWN'],
  examples: [
    example('Pause', {
      params: { integration_id: exampleId },
      body: { paused: true },
      200: {},
    }),
  ],
});

export const integrationDelete = operation({
  ...writeRow,
  id: 'cdi.integration_delete',
  method: 'DELETE',
  path: '/cdi/integrations/{integration_id}',
  success: 200,
  summary: 'Delete a data integration',
  description: 'With its jobs and the rows that failed. What was synced stays.',
  request: { params: ofIntegration },
  responses: { 200: successAnswer('DataIntegrationDeleted', 'It is deleted.', {}), 202: queuedAnswer },
  rejections: unknown,
  examples: [example('One', { params: { integration_id: exampleId }, 200: {} })],
});

export const integrationSync = operation({
  ...writeRow,
  id: 'cdi.integration_sync',
  path: '/cdi/integrations/{integration_id}/sync',
  limit: { pool: 'cdi.integration_sync', requests: 20, seconds: 60 },
  success: 202,
  summary: 'Sync a data integration now',
  description:
    'Starts a job; `job_sync_status` tells its progress. One job of an integration runs at a time.',
  request: { params: ofIntegration },
  responses: {
    202: Type.Unsafe<object>(
      Type.Union([successAnswer('SyncBegun', 'The job is there.', {}), queuedAnswer], {
        description: 'The job runs, or will run soon.',
      }),
    ),
  },
  rejections: [...unknown, 'INTEGRATION_PAUSED', 'SYNC_RUNNING'],
  examples: [
    example('One', { params: { integration_id: exampleId }, 202: {} }),
    example('While a job runs', {
      params: { integration_id: exampleId },
      ...refusedAs('SYNC_RUNNING'),
    }),
  ],
});
