/** The connections of a workspace: where its data integrations may read, and with which credentials. Only the operator sets them. */
import { type Static, Type } from '@sinclair/typebox';
import { reference } from './reference.ts';

const closed = { additionalProperties: false };

const id = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  hint: '1 to 64 letters, digits, - and _',
  description: 'Integrations name it by this id.',
});

const databases = ['postgresql', 'redshift', 'mysql', 'mongodb'] as const;

const formats = ['ndjson', 'csv', 'parquet'] as const;

const oneOf = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { hint: `one of ${values.join(', ')}`, description },
  );

const address = (description: string) =>
  Type.String({
    pattern: '^https?://[^/?#@]+/?$',
    maxLength: 300,
    hint: 'like https://host:port',
    description,
  });
const endpoint = (description: string) => Type.Optional(address(description));

const ca = Type.Optional(
  reference('Certificates of the authorities to trust instead of the usual ones: PEM.'),
);

/** Where an address may begin with `http:` there is nothing to switch off. */
const httpsTls = Type.Optional(
  oneOf(['verify', 'encrypt'], '`verify` unless said otherwise; `encrypt` takes any certificate.'),
);

const bigquery = Type.Object(
  {
    id,
    kind: Type.Literal('bigquery'),
    credentials: reference('The JSON key of a service account.'),
    project: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9.:-]{1,99}$',
        description:
          'Which project pays for the statements: that of the service account, unless said otherwise.',
      }),
    ),
    endpoint: endpoint('The address of the interface: that of Google, unless said otherwise.'),
    tls: httpsTls,
    ca,
  },
  closed,
);

const objectName = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

const snowflake = Type.Object(
  {
    id,
    kind: Type.Literal('snowflake'),
    account: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
      hint: 'like organisation-account',
      description: 'The account: `organisation-account`, or its locator.',
    }),
    user: Type.String({ minLength: 1, maxLength: 255, description: 'Who reads: a user of the account.' }),
    private_key: Type.Optional(
      reference('The private key of the user, without a passphrase: PEM. This or `token`.'),
    ),
    token: Type.Optional(reference('A programmatic access token of the user. This or `private_key`.')),
    warehouse: objectName('Where statements run: that of the user, unless said otherwise.'),
    role: objectName('As what the user reads: the usual role, unless said otherwise.'),
    database: objectName('Where tables are that are named without it.'),
    schema: objectName('Where tables are that are named without it.'),
    endpoint: endpoint('The address of the interface: that of the account, unless said otherwise.'),
    tls: httpsTls,
    ca,
  },
  closed,
);

const databricks = Type.Object(
  {
    id,
    kind: Type.Literal('databricks'),
    endpoint: address('The address of the workspace.'),
    warehouse: Type.String({
      pattern: '^[A-Za-z0-9-]{1,64}$',
      hint: 'the id of a SQL warehouse: letters, digits and -',
      description: 'The id of the SQL warehouse where statements run.',
    }),
    token: Type.Optional(reference('A personal access token. This, or `client_id` and `client_secret`.')),
    client_id: objectName('The id of a service principal.'),
    client_secret: Type.Optional(reference('The OAuth secret of the service principal.')),
    catalog: objectName('Where tables are that are named without it.'),
    schema: objectName('Where tables are that are named without it.'),
    tls: httpsTls,
    ca,
  },
  closed,
);

const connection = Type.Union(
  [
    Type.Object(
      {
        id,
        kind: oneOf(databases, 'What speaks there.'),
        url: reference('Its URL, with name and password.'),
        tls: Type.Optional(
          oneOf(
            ['verify', 'encrypt', 'off'],
            '`verify` unless said otherwise; `encrypt` takes any certificate, `off` sends in the clear.',
          ),
        ),
        ca,
      },
      closed,
    ),
    Type.Object(
      {
        id,
        kind: Type.Literal('s3'),
        endpoint: endpoint(
          'Where the S3-compatible server is; that of AWS for the region, unless said otherwise.',
        ),
        region: Type.Optional(
          Type.String({
            pattern: '^[A-Za-z0-9-]{1,50}$',
            description: 'Of the bucket: `us-east-1` unless said otherwise.',
          }),
        ),
        bucket: Type.String({
          pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$',
          description: 'Its name.',
        }),
        prefix: Type.Optional(
          Type.String({ maxLength: 1000, description: 'What the names of the objects begin with.' }),
        ),
        path_style: Type.Optional(
          Type.Boolean({
            description:
              'Whether the bucket stands in the path instead of the host. With an `endpoint` it does, unless said otherwise.',
          }),
        ),
        format: oneOf(formats, 'What the objects are.'),
        access_key: reference('The id of the access key.'),
        secret_key: reference('The secret of the access key.'),
        session_token: Type.Optional(reference('The token of temporary credentials.')),
        tls: httpsTls,
        ca,
      },
      closed,
    ),
    Type.Object(
      {
        id,
        kind: Type.Literal('files'),
        folder: Type.String({
          pattern: '^/',
          maxLength: 1000,
          description: 'Where the process of integrations sees the files.',
        }),
        format: oneOf(formats, 'What the files are: lines of JSON, CSV with a header, or Parquet.'),
      },
      closed,
    ),
    bigquery,
    snowflake,
    databricks,
  ],
  {
    hint: 'a connection of kind postgresql, redshift, mysql, mongodb (with url), s3 (with bucket, format, access_key and secret_key), files (with folder and format), bigquery (with credentials), snowflake (with account, user and private_key or token) or databricks (with endpoint, warehouse and token, or client_id and client_secret)',
  },
);

export type Connection = Static<typeof connection>;

export const IntegrationSettingsSchema = Type.Object(
  {
    connections: Type.Array(connection, {
      default: [],
      maxItems: 100,
      hint: 'a list of at most 100 connections',
      description: 'Where data integrations may read.',
    }),
  },
  { ...closed, default: {} },
);
