/** Tables and views of Databricks, by its SQL Statement Execution API. */
import { bounds } from '../bounds.ts';
import { endpointOf } from '../http/endpoint.ts';
import type { DatabricksSettings } from '../settings.ts';
import type { Source } from '../source.ts';
import { openWarehouse, type WarehouseLimits } from '../warehouse/warehouse.ts';
import { authorizeBy } from './credentials.ts';
import { dialect } from './dialect.ts';
import { toSourceError } from './errors.ts';
import { createSession } from './session.ts';

/** A result has a few bytes here: more rows would be sorted for nothing. */
const mostRows = 100_000;

export const openDatabricks = (settings: DatabricksSettings, given: WarehouseLimits = bounds): Source => {
  const { clientId, tls } = settings;
  const limits = { ...given, statementRows: Math.min(given.statementRows, mostRows) };
  const endpoint = endpointOf(settings.endpoint);
  const place = { at: endpoint.host, who: clientId ? `client ${clientId}` : 'the owner of the token' };
  const road = { endpoint, place, tls, limits };
  const session = createSession(settings, { ...road, authorize: authorizeBy(settings, road) });
  return openWarehouse(
    {
      dialect,
      keepsResults: true,
      connect: async () => session,
      toSourceError: (error) => toSourceError(error, place),
    },
    settings,
    limits,
  );
};
