/** What MySQL and MariaDB say is wrong, in words. Their own texts may hold values of rows, so they are left out. */
import { member, textAt } from '../members.ts';
import { networkError, wasLost } from '../network-errors.ts';
import { inWords, SourceError, type Words, writes } from '../source-error.ts';
import type { Address } from '../sql/address.ts';

const denied: Words<Address> = [
  'access_denied',
  ({ at, user }) => `${at} does not let user ${user} in: wrong password, or not from this host`,
];
const wantsClear: Words<Address> = [
  'access_denied',
  ({ at, user }) =>
    `${at} wants the password of ${user} in clear, which it never gets: let the user sign in by caching_sha2_password`,
];
const mayNot: Words<Address> = ['access_denied', ({ user }) => `user ${user} may not read this table`];
const tooMany: Words<Address> = ['connection_refused', ({ at }) => `${at} has too many connections`];
const tooLong: Words<Address> = [
  'time_limit',
  () => 'the statement took longer than its time limit: an index on the columns of UPDATED_AT and tie helps',
];

const byCode: Readonly<Record<string, Words<Address>>> = {
  ER_ACCESS_DENIED_ERROR: denied,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: denied,
  ER_HOST_NOT_PRIVILEGED: denied,
  ER_DBACCESS_DENIED_ERROR: [
    'access_denied',
    ({ user, database }) => `user ${user} may not use database ${database}`,
  ],
  ER_BAD_DB_ERROR: ['database_missing', ({ at, database }) => `${at} has no database ${database}`],
  ER_TABLEACCESS_DENIED_ERROR: mayNot,
  ER_COLUMNACCESS_DENIED_ERROR: mayNot,
  ER_NO_SUCH_TABLE: ['table_missing', () => 'the table is gone'],
  ER_BAD_FIELD_ERROR: ['column_missing', () => 'the table or view has lost a column'],
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: ['bad_settings', () => writes],
  ER_CON_COUNT_ERROR: tooMany,
  ER_TOO_MANY_USER_CONNECTIONS: tooMany,
  ER_QUERY_TIMEOUT: tooLong,
  ER_SERVER_SHUTDOWN: ['connection_lost', ({ at }) => `${at} is stopping`],
  HANDSHAKE_NO_SSL_SUPPORT: ['tls', ({ at }) => `${at} offers no TLS, and the settings ask for it`],
};

/** The driver puts a code of its own in the place of that of Node. */
const tlsCodes: readonly (readonly [RegExp, string])[] = [
  [/altnames/, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/expired/, 'CERT_HAS_EXPIRED'],
  [/self.signed|unable to (get|verify)/, 'SELF_SIGNED_CERT_IN_CHAIN'],
  [/(?:)/, 'ERR_TLS_HANDSHAKE'],
];

const nodeError = (error: unknown): unknown => {
  if (textAt(error, 'code') !== 'HANDSHAKE_SSL_ERROR') return error;
  const [, code] = tlsCodes.find(([words]) => words.test(textAt(error, 'message'))) ?? [];
  return { code };
};

/** ER_STATEMENT_TIMEOUT of MariaDB, whose name the driver does not know. */
const mariadbTimeLimit = 1969;
const firstServerError = 1000;

export const notMysql = ({ at }: Address): SourceError =>
  new SourceError('not_this_protocol', `what answers at ${at} is not MySQL or MariaDB`);

export const toSourceError = (error: unknown, address: Address): SourceError => {
  if (error instanceof SourceError) return error;
  const code = textAt(error, 'code');
  const number = Number(member(error, 'errno'));
  const words = number === mariadbTimeLimit ? tooLong : byCode[code];
  if (words) return inWords(words, address);
  const known = networkError(nodeError(error), address.at);
  if (known) return known;
  if (/mysql_clear_password/.test(textAt(error, 'message'))) return inWords(wantsClear, address);
  if (number >= firstServerError)
    return new SourceError('server_error', `the server answers with error ${number}`);
  return /closed|lost|destroy/i.test(textAt(error, 'message')) ? wasLost(address.at) : notMysql(address);
};
