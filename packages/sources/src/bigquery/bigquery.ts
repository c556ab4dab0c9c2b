/** Tables and views of BigQuery, by Google's driver. */
import { bounds } from '../bounds.ts';
import { endpointOf } from '../http/endpoint.ts';
import type { BigquerySettings } from '../settings.ts';
import type { Source } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { tableParts } from '../sql/table-name.ts';
import { loadDriver } from '../warehouse/driver.ts';
import { openWarehouse, type WarehouseLimits } from '../warehouse/warehouse.ts';
import { readServiceAccount } from './credentials.ts';
import { dialect } from './dialect.ts';
import { toSourceError } from './errors.ts';
import { createSession } from './session.ts';
import { sendBy } from './transport.ts';

export const driver = ['@google-cloud/bigquery', '8.3.0'] as const;

const assertNamed = (table: string): void => {
  if (tableParts(table).length < 2)
    throw new SourceError('bad_settings', 'a table of BigQuery is named with its dataset: dataset.table');
};

export const openBigquery = (settings: BigquerySettings, limits: WarehouseLimits = bounds): Source => {
  const { project: own, ...credentials } = readServiceAccount(settings.credentials);
  const project = settings.project ?? own;
  if (!project) throw new SourceError('bad_settings', 'the settings name no project');
  const endpoint = endpointOf(settings.endpoint ?? 'https://bigquery.googleapis.com');
  assertNamed(settings.table);
  const place = { at: endpoint.host, email: credentials.client_email, project };

  const connect = async () => {
    const { BigQuery } = await loadDriver(...driver, () => import('@google-cloud/bigquery'));
    const clientFor = (signal: AbortSignal) => {
      const client = new BigQuery({ projectId: project, credentials });
      // A token that the key signs itself: no other host has to be asked for one.
      client.authClient.useJWTAccessWithScope = true;
      sendBy(client, { endpoint, place, tls: settings.tls, limits, signal });
      return client;
    };
    return createSession(clientFor, limits);
  };
  return openWarehouse(
    { dialect, keepsResults: true, connect, toSourceError: (error) => toSourceError(error, place) },
    settings,
    limits,
  );
};
