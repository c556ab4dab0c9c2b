/** Every environment variable of Roster: grouped by concern, then composed for each process. `.env.example` is made from here. */
import { type Static, Type } from '@sinclair/typebox';

const port = (options: { default: number; description: string }) =>
  Type.Integer({ minimum: 0, maximum: 65_535, ...options });

const processConfig = {
  LOG_LEVEL: Type.Union(
    (['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const).map((level) =>
      Type.Literal(level),
    ),
    { default: 'info', description: 'How much is logged. A request is a line at info.' },
  ),
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description:
      'Address on which this process listens. Loopback unless you say otherwise; 0.0.0.0 in a container.',
  }),
  ADMIN_PORT: port({
    default: 0,
    description: 'Port for /metrics, /health/live and /health/ready of each process; 0 takes any free one.',
  }),
};

/** In the address of a Redis with Sentinels: a Sentinel, and how to sign in to them. */
const sentinel = '(\\[[0-9a-fA-F:.]+\\]|[\\w.-]+)(:\\d{1,5})?';
const escaped = (but: string): string => `([^${but}%]|%[\\da-fA-F]{2})*`;
const account = `(sentinelUsername|sentinelPassword)=${escaped('&#')}`;

const redisConfig = {
  REDIS_URL: Type.String({
    default: 'redis://127.0.0.1:6379',
    pattern: `^(rediss?://.+|rediss?\\+sentinel://(${escaped('@/?#')}@)?${sentinel}(,${sentinel}){0,15}/[\\w.-]+(/\\d+)?(\\?${account}(&${account})*)?)$`,
    secret: true,
    hint: 'a URL like redis://host:6379, rediss://user:password@host:6379, or, with the Sentinels and the name of the primary, redis+sentinel://a:26379,b:26379,c:26379/name',
    description:
      'The Redis of the queues, or its Sentinels: see "Redis with Sentinels" in docs/production.md. It must run with appendonly yes, appendfsync always and noeviction.',
  }),
};

const mongoConfig = {
  MONGO_URL: Type.String({
    default: 'mongodb://127.0.0.1:27017/roster?replicaSet=rs0',
    pattern: '^mongodb(\\+srv)?://.+',
    secret: true,
    hint: 'a URL like mongodb://host:27017/roster?replicaSet=rs0',
    description:
      'The MongoDB with the profiles. It must be a replica set or a sharded cluster, for transactions.',
  }),
};

const secretConfig = {
  ROSTER_SECRET: Type.String({
    minLength: 16,
    secret: true,
    hint: 'at least 16 random characters (openssl rand -hex 32), the same for every process',
    description:
      'The secret with which API keys are hashed, links are signed and request ids are made. Exchanging it alone makes every key and SCIM token invalid, and forgets who was deleted or merged: see "Rotating the secret" in docs/production.md. The local stack makes its own. `roster keys create` needs it too.',
  }),
  ROSTER_SECRET_ALSO: Type.String({
    default: '',
    secret: true,
    hint: 'secrets with a date each and white space between them, like <secret>@2027-03-01, or nothing',
    description:
      'Other secrets that are known while ROSTER_SECRET is rotated, and after it; up to four, the same for every process. Signatures (links, forms, addresses for providers) made with one are accepted until its date, 00:00 UTC. What was stored under one (keys, tombstones) is found as long as it stands here.',
  }),
};

const credentialsConfig = {
  CREDENTIALS_DIR: Type.String({
    default: '',
    description:
      'Folder of the files to which settings of apps and connections refer (sender, pages, integrations, cli). They are read anew: a changed one counts within 5 seconds. Without it credentials are in variables that begin with ROSTER_CREDENTIAL_.',
  }),
};

const filesConfig = {
  FILES_DIR: Type.String({
    default: '',
    description:
      'Folder whose folders connections of kind files may name (integrations, cli). Without it there are none.',
  }),
};

const trackQueueConfig = {
  TRACK_PARTITIONS: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 256,
    description:
      'Into how many queues the track requests of a new installation are spread. `roster partitions` changes the number while everything runs.',
  }),
};

const proxyConfig = {
  TRUSTED_PROXIES: Type.String({
    default: '',
    pattern: '^[0-9a-fA-F:./, ]*$',
    hint: 'IP addresses or CIDR ranges with commas between them, like 10.0.0.0/8, or nothing',
    description:
      "Trusted proxies: the X-Forwarded-For of other callers is ignored. Keys' IP allow-lists and the count of tries to sign in depend on it: name your gateway exactly.",
  }),
};

const resultConfig = {
  RESULT_TIMEOUT_SECONDS: Type.Number({
    default: 10,
    minimum: 0.1,
    maximum: 60,
    description:
      'How long a caller waits for a worker before it gets 202 (a write) or 503 (a read, and all of SCIM). The same for every process: SCIM applies no change after its caller has gone.',
  }),
};

const replicasConfig = {
  REDIS_WAIT_REPLICAS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 16,
    description:
      'How many replicas of Redis must hold a request before it is answered, and before it has an effect. The same for every process.',
  }),
};

/** For processes that accept requests. */
const acceptingConfig = {
  ...replicasConfig,
  IDEMPOTENCY_SHARE: Type.Number({
    default: 0.1,
    minimum: 0.001,
    maximum: 0.5,
    description:
      "Which share of Redis' maxmemory (of 1 GB when it has none) the idempotency keys of one workspace may take: about 300 bytes each. Past it, requests with a new key get 429.",
  }),
  SHED_MEMORY_SHARE: Type.Number({
    default: 0.6,
    minimum: 0.05,
    maximum: 0.95,
    description: "From which share of Redis' maxmemory on new requests get 503. A full Redis is a deadlock.",
  }),
  SHED_MEMORY_BYTES: Type.Integer({
    default: 0,
    minimum: 0,
    description: 'The same as a number of bytes, for a Redis without maxmemory; 0 is no such limit.',
  }),
  SHED_OLDEST_MINUTES: Type.Number({
    default: 720,
    minimum: 0.01,
    description: 'From which age of the oldest waiting request on new ones get 503.',
  }),
};

const ingressConfig = {
  PORT: port({ default: 8080, description: 'Port of the public interface (ingress); 0 takes any free one.' }),
  ROSTER_ALLOW_UNSAFE_REDIS: Type.Boolean({
    default: false,
    description:
      'Start the ingress even when Redis is set up so that accepted requests can be lost. For trying things out only.',
  }),
  IDEMPOTENCY_HOURS: Type.Number({
    default: 24,
    minimum: 0.1,
    maximum: 144,
    description:
      'How long an Idempotency-Key is remembered: less than outcomes are, which is 7 days at least.',
  }),
  BODY_MEMORY_MB: Type.Integer({
    default: 64,
    minimum: 16,
    maximum: 4096,
    description:
      'How many megabytes of request bodies an ingress process holds at a time. The usual value fits into a container of 512 MB; measure before you raise it.',
  }),
  BOARD_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s"<>]+)?$',
    hint: 'an address like https://board.example.com, or nothing',
    description:
      'Address of the board, to which the start page of the interface links. Without it the start page names no board.',
  }),
  DRAIN_SECONDS: Type.Number({
    default: 0.5,
    minimum: 0,
    maximum: 20,
    description: 'How long a stopping ingress still takes new connections, so that a balancer can notice.',
  }),
};

const monitorConfig = {
  MONITOR_PORT: port({
    default: 3000,
    description: 'Port of the board of the queues (monitor); 0 takes any free one.',
  }),
  MONITOR_HOSTS: Type.String({
    default: '',
    pattern: '^[A-Za-z0-9.,: -]*$',
    hint: 'names with commas between them, like board.example.com, or nothing',
    description:
      'Host names under which the board is served while it needs no sign-in, beside localhost, HOST and IP addresses. Others get 421, so that no web page can read the board in a browser (DNS rebinding).',
  }),
  MONITOR_SIGN_IN: Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')], {
    default: 'auto',
    description:
      'Whether the board asks dashboard users to sign in. auto: as soon as there is a dashboard user (`roster dashboard invite`, or SCIM). never: every caller that reaches the port sees the board, also while MongoDB is away.',
  }),
  OUTBOX_TOKEN: Type.String({
    default: '',
    pattern: '^([A-Za-z0-9_-]{43})?$',
    secret: true,
    hint: '43 characters (openssl rand 32 | basenc --base64url | tr -d =), or nothing',
    description:
      'Opens the outbox while the board asks for no sign-in: /outbox?token=... The local stack makes its own and prints the link. Without it the outbox needs a sign-in.',
  }),
};

const scimConfig = {
  PUBLIC_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s/]+(/[^\\s]*[^\\s/])?)?$',
    hint: 'a URL like https://api.example.com, without a slash at its end, or nothing',
    description:
      'Address by which callers reach the public interface. SCIM resources name their place with it; without it they name the path only.',
  }),
};

const pagesPortConfig = {
  PAGES_PORT: port({
    default: 8090,
    description:
      'Port of the pages of preference centers; 0 takes any free one. It is for people without a key: publish it under a host name of its own. Where PAGES_URL is not set, links lead to this port.',
  }),
};

const pagesConfig = {
  ...pagesPortConfig,
  PAGES_PER_MINUTE: Type.Integer({
    default: 120,
    minimum: 1,
    maximum: 100_000,
    description:
      'How many requests for pages one IP address (of IPv6: one /64) may send a process in a minute.',
  }),
};

const pageLinksConfig = {
  ...pagesPortConfig,
  PAGES_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s/]+(/[^\\s]*[^\\s/])?)?$',
    hint: 'a URL like https://preferences.example.com, without a slash at its end, or nothing',
    description:
      'Address by which people reach these pages: links to them begin with it. Without it they begin with HOST and PAGES_PORT, which is for trying things out.',
  }),
  PAGES_LINK_DAYS: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 3650,
    description:
      'How long links to these pages hold. Links to unsubscribe stand in emails too: laws want them to work for 30 days at least.',
  }),
};

/** For processes that apply requests or send. */
const workerConfig = {
  ...processConfig,
  ...redisConfig,
  ...mongoConfig,
  ...secretConfig,
  ...trackQueueConfig,
  ...replicasConfig,
};

export const serviceConfigs = {
  ingress: Type.Object({
    ...processConfig,
    ...redisConfig,
    ...secretConfig,
    ...trackQueueConfig,
    ...proxyConfig,
    ...resultConfig,
    ...acceptingConfig,
    ...ingressConfig,
  }),
  track: Type.Object(workerConfig),
  identity: Type.Object(workerConfig),
  subscription: Type.Object(workerConfig),
  export: Type.Object(workerConfig),
  messaging: Type.Object({
    ...workerConfig,
    ...pageLinksConfig,
  }),
  pages: Type.Object({
    ...workerConfig,
    ...proxyConfig,
    ...acceptingConfig,
    ...pagesConfig,
    ...credentialsConfig,
  }),
  sender: Type.Object({
    ...workerConfig,
    ...pageLinksConfig,
    ...credentialsConfig,
  }),
  integrations: Type.Object({
    ...workerConfig,
    ...acceptingConfig,
    ...credentialsConfig,
    ...filesConfig,
  }),
  scim: Type.Object({
    ...processConfig,
    ...redisConfig,
    ...mongoConfig,
    ...replicasConfig,
    ...resultConfig,
    ...scimConfig,
  }),
  monitor: Type.Object({
    ...processConfig,
    ...redisConfig,
    ...mongoConfig,
    ...trackQueueConfig,
    ...proxyConfig,
    ...monitorConfig,
  }),
  cli: Type.Object({
    ...redisConfig,
    ...mongoConfig,
    ...trackQueueConfig,
    ...credentialsConfig,
    ...filesConfig,
  }),
};

/** For the commands that make keys; others work without the secret. */
export const secretSchema = Type.Object(secretConfig);

export type ServiceName = keyof typeof serviceConfigs;
export type Config<Name extends ServiceName> = Static<(typeof serviceConfigs)[Name]>;
/** What every long-running process has; `run` needs no more than this. */
export type ProcessConfig = Pick<Config<'track'>, 'LOG_LEVEL' | 'HOST' | 'ADMIN_PORT'>;
