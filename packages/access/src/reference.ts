/** Where a credential stands: settings are shown, copied and kept, so it is never in them. */
import { Type } from '@sinclair/typebox';

const closed = { additionalProperties: false };

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
