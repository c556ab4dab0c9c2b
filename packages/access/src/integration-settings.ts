/** The connections of a workspace: where its data integrations may read, and with which credentials. Only the operator sets them. */
import { type Static, Type } from '@sinclair/typebox';
import { reference } from './reference.ts';

const closed = { additionalProperties: false };

const kinds = ['postgresql', 'mysql', 'mongodb'] as const;
const modes = ['verify', 'encrypt', 'off'] as const;

const connection = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
      hint: '1 to 64 letters, digits, - and _',
      description: 'Integrations name it by this id.',
    }),
    kind: Type.Union(
      kinds.map((kind) => Type.Literal(kind)),
      {
        hint: `one of ${kinds.join(', ')}`,
        description: 'What speaks there: `mysql` is for MySQL and MariaDB.',
      },
    ),
    url: reference('Its URL, with name and password.'),
    tls: Type.Optional(
      Type.Union(
        modes.map((mode) => Type.Literal(mode)),
        {
          hint: `one of ${modes.join(', ')}`,
          description:
            '`verify` unless said otherwise; `encrypt` takes any certificate, `off` sends in the clear.',
        },
      ),
    ),
    ca: Type.Optional(reference('Certificates of the authorities to trust instead of the usual ones: PEM.')),
  },
  closed,
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
