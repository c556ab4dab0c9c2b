/**
 * The address of a Redis whose primary is known to Sentinels: `redis+sentinel://user:password@a:26379,b,c/name/db`. User and password are
 * for the Redis; those for the Sentinels follow as `?sentinelUsername=` and `&sentinelPassword=`. With `rediss+sentinel` both speak TLS.
 */
import type { RedisOptions } from 'ioredis';

type SentinelOptions = Pick<
  RedisOptions,
  | 'sentinels'
  | 'name'
  | 'db'
  | 'username'
  | 'password'
  | 'sentinelUsername'
  | 'sentinelPassword'
  | 'tls'
  | 'sentinelTLS'
  | 'enableTLSForSentinelMode'
>;

const grammar =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^@:/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)\/(?<name>[\w.-]+)(?:\/(?<db>\d+))?(?:\?(?<query>[^#]*))?$/;

const usualPort = 26_379;

const hostOf = (text: string): { host: string; port: number } => {
  const [, inBrackets, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = inBrackets ?? plain;
  if (host === undefined) throw new Error(`REDIS_URL: "${text}" is not the address of a Sentinel`);
  return { host, port: port === undefined ? usualPort : Number(port) };
};

/** Not as in a form: a plus stays a plus, as in the password of the Redis. */
const accountIn = (query = ''): Pick<SentinelOptions, 'sentinelUsername' | 'sentinelPassword'> =>
  Object.fromEntries(
    query
      .split('&')
      .map((one) => /^(sentinelUsername|sentinelPassword)=(.+)$/.exec(one))
      .flatMap((found) => (found ? [[found[1], decodeURIComponent(found[2] ?? '')]] : [])),
  );

/** What ioredis needs to ask the Sentinels; undefined for the address of a Redis itself. */
export const sentinelsIn = (url: string): SentinelOptions | undefined => {
  const { tls, user, password, hosts = '', name = '', db, query } = grammar.exec(url)?.groups ?? {};
  if (hosts === '') return undefined;
  return {
    sentinels: hosts.split(',').map(hostOf),
    name,
    ...(db !== undefined && { db: Number(db) }),
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...accountIn(query),
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
};
