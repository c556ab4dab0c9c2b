/** Tables and views of Snowflake, by its SQL API: https://docs.snowflake.com/en/developer-guide/sql-api/reference */
import { createHash, createPublicKey } from 'node:crypto';
import { endpointOf } from '../http/exchange.ts';
import { readKey, signedToken } from '../http/signed-token.ts';
import { listAt, member, textAt } from '../members.ts';
import type { SnowflakeTable } from '../settings.ts';
import { bad } from '../source-error.ts';
import type { SqlColumn } from '../sql/dialect.ts';
import { columnGone, type Dictionary, mayNotRead, tableGone, tooLong } from '../warehouse/errors.ts';
import { type Service, textRows } from '../warehouse/service.ts';
import { dialect, positional } from './dialect.ts';

const words: Dictionary = {
  '002003': tableGone,
  '002043': tableGone,
  '000904': columnGone,
  '003001': mayNotRead,
  '000606': ['bad_settings', () => 'the connection names no warehouse, or one that the role may not use'],
  '000604': tooLong,
  '000630': tooLong,
};

/** Megabytes of a part of a result: the least that Snowflake allows. */
const partMegabytes = 48;

const hostOf = (account: string): string => {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(account)) throw bad('this can be no account of Snowflake');
  return `https://${account.toLowerCase().replaceAll('_', '-')}.snowflakecomputing.com`;
};

/** https://docs.snowflake.com/en/developer-guide/sql-api/authenticating */
const tokensOf = ({
  privateKey,
  token,
  account,
  user,
}: SnowflakeTable): (() => readonly [type: string, token: string]) => {
  if ((privateKey === undefined) === (token === undefined))
    throw bad('a connection of Snowflake has a private_key or a token: one of the two');
  if (token !== undefined) return () => ['PROGRAMMATIC_ACCESS_TOKEN', token.trim()];
  const key = readKey(privateKey ?? '', user);
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const sub = `${account.replaceAll('.', '-')}.${user}`.toUpperCase();
  const iss = `${sub}.SHA256:${createHash('sha256').update(spki).digest('base64')}`;
  return () => ['KEYPAIR_JWT', signedToken(key, { iss, sub })];
};

const columnOf = (type: unknown): SqlColumn => {
  const name = textAt(type, 'type').toUpperCase();
  const isDecimal = name === 'FIXED' && Number(member(type, 'scale') ?? 0) > 0;
  const kind = isDecimal ? 'DECIMAL' : name + (textAt(type, 'collation') && ' COLLATE');
  return { name: textAt(type, 'name'), type: kind, kind };
};

const path = (handle = '', rest = ''): string =>
  `/api/v2/statements${handle && `/${encodeURIComponent(handle)}`}${rest}`;

export const snowflake = (table: SnowflakeTable): Service => {
  const { account, user, warehouse, role, database, schema, tls } = table;
  const endpoint = endpointOf(table.endpoint ?? hostOf(account), table.tls);
  const tokenOf = tokensOf(table);
  return {
    place: { product: 'Snowflake', at: endpoint.host, who: `user ${user}` },
    endpoint,
    tls,
    dialect,
    mostRows: Number.POSITIVE_INFINITY,
    headers() {
      const [type, token] = tokenOf();
      return { authorization: `Bearer ${token}`, 'x-snowflake-authorization-token-type': type };
    },
    words,
    codeOf: (refused) => textAt(refused, 'code'),
    begin({ text, values }, ms) {
      const { statement, bound } = positional(text, values);
      const bindings = Object.fromEntries(bound.map((value, at) => [at + 1, { type: 'TEXT', value }]));
      const parameters = { TIMEZONE: 'UTC', CLIENT_RESULT_CHUNK_SIZE: partMegabytes };
      const timeout = Math.ceil(ms / 1000);
      return {
        path: path('', '?async=true'),
        body: { statement, timeout, bindings, parameters, warehouse, role, database, schema },
      };
    },
    handleOf: (begun) => textAt(begun, 'statementHandle'),
    result: (handle) => ({ path: path(handle) }),
    // What is not ready has the number of the statement, and no result.
    stateOf: (answer) => (member(answer, 'resultSetMetaData') === undefined ? 'running' : 'done'),
    cancel: (handle) => ({ path: path(handle, '/cancel'), body: {} }),
    rowsOf: (answer) => textRows(answer, 'data'),
    next: ({ handle, at, first }) =>
      at + 1 < listAt(first, 'resultSetMetaData.partitionInfo').length
        ? { path: path(handle, `?partition=${at + 1}`) }
        : undefined,
    totalOf: (first) => Number(member(first, 'resultSetMetaData.numRows')),
    columnsOf: (answer) => listAt(answer, 'resultSetMetaData.rowType').map(columnOf),
  };
};
