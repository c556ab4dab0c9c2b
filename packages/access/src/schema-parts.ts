/** Parts that several schemas of settings share. */
import { Type } from '@sinclair/typebox';

export const closed = { additionalProperties: false };

export const name = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

export const id = (description: string, hint = 'letters, digits, - and _, at most 64') =>
  Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$', hint, description });

export const oneOf = <Value extends string>(values: readonly Value[], description?: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { hint: `one of ${values.join(', ')}`, ...(description !== undefined && { description }) },
  );

/** Where a credential stands: settings are shown, copied and kept, so it is never in them. */
export const reference = (description: string) =>
  Type.Union(
    [
      Type.Object({ env: Type.String({ pattern: '^ROSTER_CREDENTIAL_[A-Z0-9_]{1,80}$' }) }, closed),
      Type.Object({ file: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }) }, closed),
    ],
    {
      hint: '{ "env": "ROSTER_CREDENTIAL_..." } or { "file": "<name of a file in CREDENTIALS_DIR>" }; the credential itself does not belong into settings',
      description,
    },
  );
