/** What PostgreSQL says is wrong, in words. Its own texts may hold values of rows, so they are left out. */
import { textAt } from '../members.ts';
import { networkError, wasLost } from '../network-errors.ts';
import { inWords, SourceError, type Words, writes } from '../source-error.ts';
import type { Address } from '../sql/address.ts';

const denied: Words<Address> = [
  'access_denied',
  ({ at, user, product }) =>
    `${at} does not let user ${user} in: wrong password${product ? '' : ', or no entry in pg_hba.conf'}`,
];
const unspoken: Words<Address> = [
  'access_denied',
  ({ at, user }) =>
    `${at} wants user ${user} to sign in by a way that is not spoken here: let the user in with scram-sha-256 (pg_hba.conf)`,
];
const pretender: Words<Address> = [
  'access_denied',
  ({ at, user }) => `${at} does not know the password of user ${user}: another server may answer there`,
];
const stopped: Words<Address> = ['connection_lost', ({ at }) => `${at} is stopping or starting`];

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const bySqlState: Readonly<Record<string, Words<Address>>> = {
  '28P01': denied,
  '28000': denied,
  '3D000': ['database_missing', ({ at, database }) => `${at} has no database ${database}`],
  '42501': ['access_denied', ({ user }) => `user ${user} may not read this table`],
  '42P01': ['table_missing', () => 'the table is gone'],
  '42703': ['column_missing', () => 'the table or view has lost a column'],
  '25006': ['bad_settings', () => writes],
  '53300': ['connection_refused', ({ at }) => `${at} has too many connections`],
  '57014': [
    'time_limit',
    () =>
      'the statement took longer than its time limit: an index on the columns of UPDATED_AT and tie helps',
  ],
  '57P01': stopped,
  '57P02': stopped,
  '57P03': stopped,
  '40001': ['connection_lost', () => 'the standby had to cancel the statement'],
};

/** Errors of the driver, which have no code. */
const foreign: readonly [RegExp, (to: Address) => SourceError][] = [
  [
    /does not support SSL/,
    ({ at }) => new SourceError('tls', `${at} offers no TLS, and the settings ask for it`),
  ],
  [/client password must be/, (to) => inWords(denied, to)],
  [/^SASL: (Only m|M)echanism/, (to) => inWords(unspoken, to)],
  [/server signature does not match/, (to) => inWords(pretender, to)],
  [/terminated|ended|closed/i, ({ at }) => wasLost(at)],
];

export const notPostgresql = ({ at, product = 'PostgreSQL' }: Address): SourceError =>
  new SourceError('not_this_protocol', `what answers at ${at} is not ${product}`);

export const toSourceError = (error: unknown, address: Address): SourceError => {
  if (error instanceof SourceError) return error;
  const code = textAt(error, 'code');
  const words = bySqlState[code];
  if (words) return inWords(words, address);
  const network = networkError(error, address.at);
  if (network) return network;
  if (/^[0-9A-Z]{5}$/.test(code))
    return new SourceError('server_error', `${address.product ?? 'PostgreSQL'} answers with error ${code}`);
  const message = textAt(error, 'message');
  const [, make] = foreign.find(([pattern]) => pattern.test(message)) ?? [];
  return make?.(address) ?? notPostgresql(address);
};
