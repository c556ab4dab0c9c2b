/** The connections of a workspace: where its data integrations may read, and with which credentials. Only the operator sets them. */
import { type Static, Type } from '@sinclair/typebox';
import { reference } from './reference.ts';

const closed = { additionalProperties: false };

const kinds = ['postgresql', 'mysql', 'mongodb'] as const;
const modes = ['verify', 'encrypt', 'off'] as const;
const formats = ['ndjson', 'csv', 'parquet'] as const;

const id = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  hint: '1 to 64 letters, digits, - and _',
  description: 'Integrations name it by this id.',
});

const oneOf = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { hint: `one of ${values.join(', ')}`, description },
  );

const format = oneOf(formats, 'What the files are: lines of JSON, CSV with a header, or Parquet.');

const ca = Type.Optional(
  reference('Certificates of the authorities to trust instead of the usual ones: PEM.'),
);

const database = Type.Object(
  {
    id,
    kind: oneOf(kinds, 'What speaks there: `mysql` is for MySQL and MariaDB.'),
    url: reference('Its URL, with name and password.'),
    tls: Type.Optional(
      oneOf(
        modes,
        '`verify` unless said otherwise; `encrypt` takes any certificate, `off` sends in the clear.',
      ),
    ),
    ca,
  },
  closed,
);

const files = Type.Object(
  {
    id,
    kind: Type.Literal('files'),
    folder: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
      hint: 'the name of a folder in FILES_DIR: letters, digits, ., - and _',
      description: 'Which folder of FILES_DIR. Folders in it are not read.',
    }),
    format,
  },
  closed,
);

const bucket = Type.Object(
  {
    id,
    kind: Type.Literal('s3'),
    endpoint: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#@]+/?$',
        maxLength: 300,
        hint: 'like https://host:port',
        description: 'Where the S3-compatible server is; that of AWS for the region, unless said otherwise.',
      }),
    ),
    region: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{1,50}$',
        description: 'Of the bucket: `us-east-1` unless said otherwise.',
      }),
    ),
    bucket: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$', description: 'Its name.' }),
    prefix: Type.Optional(
      Type.String({ maxLength: 1000, description: 'What the names of the objects begin with.' }),
    ),
    path_style: Type.Optional(
      Type.Boolean({
        description:
          'Whether the bucket stands in the path instead of the host. With an `endpoint` it does, unless said otherwise.',
      }),
    ),
    format,
    access_key: reference('The id of the access key.'),
    secret_key: reference('The secret of the access key.'),
    session_token: Type.Optional(reference('The token of temporary credentials.')),
    // Where the address begins with `http:` there is nothing to switch off.
    tls: Type.Optional(
      oneOf(['verify', 'encrypt'], '`verify` unless said otherwise; `encrypt` takes any certificate.'),
    ),
    ca,
  },
  closed,
);

const connection = Type.Union([database, files, bucket], {
  hint: 'a connection of kind postgresql, mysql or mongodb (with url), files (with folder and format) or s3 (with bucket, format, access_key and secret_key)',
});

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
