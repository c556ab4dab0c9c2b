/** Tables and views of Snowflake, by its SQL interface. */
import { bounds } from '../bounds.ts';
import { endpointOf } from '../http/endpoint.ts';
import type { SnowflakeSettings } from '../settings.ts';
import type { Source } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { openWarehouse, type WarehouseLimits } from '../warehouse/warehouse.ts';
import { authorizeBy } from './credentials.ts';
import { dialect } from './dialect.ts';
import { toSourceError } from './errors.ts';
import { createSession } from './session.ts';

const hostOf = (account: string): string => {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(account))
    throw new SourceError('bad_settings', 'this can be no account of Snowflake');
  return `https://${account.toLowerCase().replaceAll('_', '-')}.snowflakecomputing.com`;
};

export const openSnowflake = (settings: SnowflakeSettings, limits: WarehouseLimits = bounds): Source => {
  const { account, user, tls } = settings;
  const endpoint = endpointOf(settings.endpoint ?? hostOf(account));
  const place = { at: endpoint.host, user };
  const way = { endpoint, authorize: authorizeBy(settings), place, tls, limits };
  const session = createSession(settings, way);
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
