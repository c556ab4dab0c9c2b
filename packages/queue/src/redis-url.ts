/** Where Redis is: `redis://host`, or `redis+sentinel://host,host,host/name` for a primary that sentinels know by its name. With `rediss` both speak TLS. */
import { Redis, type RedisOptions } from 'ioredis';
import { PrimaryConnector } from './primary-connector.ts';

type Options = Omit<RedisOptions, 'replyMapping'>;

const sentinelUrl =
  /^(?<tls>rediss?)\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?]+)\/(?<name>[^/?]+)(?:\/(?<db>\d+))?(?:\?(?<query>.*))?$/;

const usualPort = 26_379;

/** A sentinel that says nothing is given up for the next one. */
const sentinelCommandTimeout = 1_000;

const addressOf = (host: string): { host: string; port: number } => {
  const { hostname, port } = new URL(`redis://${host}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usualPort };
};

const shape =
  'redis+sentinel://[user:password@]host[:port],host[:port],.../name[/db][?sentinel_username=...&sentinel_password=...]';

/** Throws an error that says how the URL has to look, and never the one that is there: it holds a password. */
export const sentinelOptions = (url: string): Options => {
  const { tls, user, password, hosts = '', name, db, query } = sentinelUrl.exec(url)?.groups ?? {};
  if (name === undefined) throw new Error(`the URL of sentinels has the form ${shape}`);
  const more = new URLSearchParams(query);
  const [sentinelUsername, sentinelPassword] = ['sentinel_username', 'sentinel_password'].map((key) =>
    more.get(key),
  );
  return {
    sentinels: hosts.split(',').map(addressOf),
    name: decodeURIComponent(name),
    sentinelCommandTimeout,
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(db && { db: Number(db) }),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(tls === 'rediss' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
};

/** When no sentinel answers, they are asked again with the pauses of any other connection. */
const connectBySentinels = (url: string, options: Options): Redis => {
  const { retryStrategy } = options;
  const again = retryStrategy && { sentinelRetryStrategy: (times: number) => retryStrategy(times) ?? null };
  return new Redis({ ...options, ...again, ...sentinelOptions(url) });
};

export const connectTo = (url: string, options: Options): Redis =>
  url.includes('+sentinel:')
    ? connectBySentinels(url, options)
    : new Redis(url, { ...options, Connector: PrimaryConnector });
