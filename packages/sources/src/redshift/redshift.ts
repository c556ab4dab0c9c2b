/** Tables and views of Amazon Redshift: PostgreSQL's protocol, a warehouse's statements. */
import { bounds } from '../bounds.ts';
import { graceMs } from '../limits.ts';
import { textOf } from '../network-errors.ts';
import { toSourceError } from '../postgresql/errors.ts';
import { streamRaw } from '../postgresql/rows.ts';
import { type Session as Connection, openSession, within } from '../postgresql/session.ts';
import type { DatabaseSettings } from '../settings.ts';
import type { Source } from '../source.ts';
import { readAddress } from '../sql/address.ts';
import type { Session } from '../warehouse/session.ts';
import { openWarehouse, type WarehouseLimits } from '../warehouse/warehouse.ts';
import { dialect, kindOfNumber } from './dialect.ts';

/** Those that Redshift has: https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_ConfigurationRef.html */
const sessionSettings = { timezone: 'UTC', datestyle: 'ISO', extra_float_digits: 2 };

/** No such table, no such schema. */
const isMissing = (error: unknown): boolean => ['42P01', '3F000'].includes(textOf(error, 'code'));

export const openRedshift = (settings: DatabaseSettings, limits: WarehouseLimits = bounds): Source => {
  const address = {
    ...readAddress(settings.url, ['redshift:', 'postgresql:', 'postgres:'], 5439),
    product: 'Redshift',
  };
  const { connectMs, questionMs, silenceMs } = limits;
  const open = new Set<Connection>();

  /** A connection for one statement. */
  const connected = async (statementMs: number, signal: AbortSignal): Promise<Connection> => {
    signal.throwIfAborted();
    const { tls } = settings;
    const connection = await openSession({ address, tls, settings: sessionSettings, statementMs, connectMs });
    open.add(connection);
    connection.client.once('end', () => open.delete(connection));
    return connection;
  };

  const session: Session = {
    async columns({ quotedName }, signal) {
      const connection = await connected(questionMs, signal);
      const { client, drop } = connection;
      const question = () =>
        client.query(`SELECT * FROM ${quotedName} LIMIT 0`).catch((error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        });
      try {
        const found = await within(questionMs + graceMs, address, drop, question);
        return found?.fields.map(({ name, dataTypeID }) => {
          const kind = kindOfNumber(dataTypeID);
          return { name, type: kind, kind };
        });
      } finally {
        drop();
      }
    },
    async *rows(statement, ms, signal) {
      const connection = await connected(ms, signal);
      try {
        yield* streamRaw(connection, statement, { signal, firstMs: ms + graceMs, silenceMs });
      } finally {
        connection.drop();
      }
    },
    async close() {
      for (const connection of open) connection.drop();
    },
  };
  return openWarehouse(
    {
      dialect,
      keepsResults: false,
      connect: async () => session,
      toSourceError: (error) => toSourceError(error, address),
    },
    settings,
    limits,
  );
};
