/** The connections of a workspace: where its data integrations may read, and with which credentials. Only the operator sets them. */
import { type Static, type TProperties, Type } from '@sinclair/typebox';
import {
  name as anyName,
  closed,
  flag,
  group,
  id as idOfThing,
  listOf,
  maybe,
  oneOf,
  reference,
} from './schema-parts.ts';

const kinds = ['postgresql', 'mysql', 'mongodb', 'redshift'] as const;
const modes = ['verify', 'encrypt', 'off'] as const;
const formats = ['ndjson', 'csv', 'parquet'] as const;

const id = idOfThing('Integrations name it by this id.', '1 to 64 letters, digits, - and _');

const format = oneOf(formats, 'What the files are: lines of JSON, CSV with a header, or Parquet.');

const ca = maybe(reference('Certificates of the authorities to trust instead of the usual ones: PEM.'));

const httpsTls = maybe(
  oneOf(
    modes,
    '`verify` unless said otherwise; `encrypt` takes any certificate; `off` allows an `endpoint` with `http://` on another machine.',
  ),
);

const endpoint = (description: string) =>
  Type.String({
    pattern: '^https?://[^/?#@]+/?$',
    maxLength: 300,
    hint: 'like https://host:port',
    description,
  });

const name = (description: string) => maybe(anyName(description));

const place = 'Where tables are whose names do not say it.';

/** What is asked over HTTPS. */
const overHttps = <Kind extends string, Members extends TProperties>(kind: Kind, members: Members) =>
  closed({ id, kind: Type.Literal(kind), ...members, tls: httpsTls, ca });

const bigquery = overHttps('bigquery', {
  credentials: reference('The JSON key file of a service account.'),
  project: name('The project that pays for statements: that of the service account, unless said otherwise.'),
  endpoint: maybe(endpoint('The address of the interface: that of Google, unless said otherwise.')),
});

const snowflake = overHttps('snowflake', {
  account: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
    hint: 'like organization-account',
    description: 'The account: `organization-account`, or its locator.',
  }),
  user: Type.String({ minLength: 1, maxLength: 255, description: 'The user that reads.' }),
  private_key: maybe(reference('The private key of the user: PEM, without a passphrase. This or `token`.')),
  token: maybe(reference('A programmatic access token of the user. This or `private_key`.')),
  warehouse: name('Where statements run: the default of the user, unless said otherwise.'),
  role: name('The role that reads: the default of the user, unless said otherwise.'),
  database: name(place),
  schema: name(place),
  endpoint: maybe(endpoint('The address of the interface: that of the account, unless said otherwise.')),
});

const databricks = overHttps('databricks', {
  endpoint: endpoint('The address of the workspace.'),
  warehouse: Type.String({
    pattern: '^[A-Za-z0-9-]{1,64}$',
    hint: 'the id of a SQL warehouse: letters, digits and -',
    description: 'The id of the SQL warehouse where statements run.',
  }),
  token: reference('An access token of a user or a service principal.'),
  catalog: name(place),
  schema: name(place),
});

const database = closed({
  id,
  kind: oneOf(kinds, 'What speaks there: `mysql` is for MySQL and MariaDB.'),
  url: reference('Its URL, with name and password.'),
  tls: maybe(
    oneOf(
      modes,
      '`verify` unless said otherwise; `encrypt` takes any certificate, `off` sends in the clear.',
    ),
  ),
  ca,
});

const files = closed({
  id,
  kind: Type.Literal('files'),
  folder: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
    hint: 'the name of a folder in FILES_DIR: letters, digits, ., - and _',
    description: 'Which folder of FILES_DIR. Folders in it are not read.',
  }),
  format,
});

const bucket = overHttps('s3', {
  endpoint: maybe(
    endpoint('Where the S3-compatible server is; that of AWS for the region, unless said otherwise.'),
  ),
  region: maybe(
    Type.String({
      pattern: '^[A-Za-z0-9-]{1,50}$',
      hint: 'the name of a region, like eu-central-1',
      description: 'Of the bucket: `us-east-1` unless said otherwise.',
    }),
  ),
  bucket: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$',
    hint: 'the name of a bucket: 2 to 255 letters, digits, dots, dashes and underscores',
    description: 'Its name.',
  }),
  prefix: maybe(Type.String({ maxLength: 1000, description: 'What the names of the objects begin with.' })),
  path_style: maybe(
    flag(
      'Whether the bucket stands in the path instead of the host. With an `endpoint` it does, unless said otherwise.',
    ),
  ),
  format,
  access_key: reference('The id of the access key.'),
  secret_key: reference('The secret of the access key.'),
  session_token: maybe(reference('The token of temporary credentials.')),
});

const connection = Type.Union([database, files, bucket, bigquery, snowflake, databricks], {
  hint: 'a connection of kind postgresql, mysql, mongodb or redshift (with url), files (with folder and format), s3 (with bucket, format, access_key and secret_key), bigquery (with credentials), snowflake (with account, user, and private_key or token) or databricks (with endpoint, warehouse and token)',
});

export type Connection = Static<typeof connection>;

export const IntegrationSettingsSchema = group({
  connections: listOf(connection, 'Where data integrations may read.', {
    maxItems: 100,
    hint: 'a list of at most 100 connections',
  }),
});
