/** Parts that several schemas of settings share. */
import {
  type ArrayOptions,
  type IntegerOptions,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';

export const maybe = Type.Optional;

/** An object without other members. */
export const closed = <Members extends TProperties>(members: Members, options: object = {}) =>
  Type.Object(members, { additionalProperties: false, ...options });

export const described = <Members extends TProperties>(description: string, members: Members) =>
  closed(members, { description });

/** Settings that all have defaults. */
export const group = <Members extends TProperties>(members: Members) => closed(members, { default: {} });

export const whole = (description: string, options: IntegerOptions) =>
  Type.Integer({ description, ...options });

export const flag = (description: string, options: { default?: boolean } = {}) =>
  Type.Boolean({ description, ...options });

/** Empty unless it has another default. */
export const listOf = <Item extends TSchema>(items: Item, description: string, options: ArrayOptions = {}) =>
  Type.Array(items, { default: [], description, ...options });

export const name = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

export const id = (description: string, hint = 'letters, digits, - and _, at most 64') =>
  Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$', hint, description });

/** Of a workspace or company: it stands in the names of queues. */
export const scopeId = (description: string) =>
  Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
    hint: 'lower-case letters, digits and -, at most 40',
    description,
  });

export const oneOf = <Value extends string>(values: readonly Value[], description?: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { hint: `one of ${values.join(', ')}`, ...(description !== undefined && { description }) },
  );

/** The name of a file in CREDENTIALS_DIR. */
export const credentialFile = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$';

/** Where a credential stands: settings are shown, copied and kept, so it is never in them. */
export const reference = (description: string) =>
  Type.Union(
    [
      closed({ env: Type.String({ pattern: '^ROSTER_CREDENTIAL_[A-Z0-9_]{1,80}$' }) }),
      closed({ file: Type.String({ pattern: credentialFile }) }),
    ],
    {
      hint: '{ "env": "ROSTER_CREDENTIAL_..." } or { "file": "<name of a file in CREDENTIALS_DIR>" }; the credential itself does not belong into settings',
      description,
    },
  );
