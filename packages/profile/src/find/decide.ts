/** Whether an entry creates the person whom it names, if nobody is found (api.md: /users/track). */
import type { Identifier } from './identifier.ts';

/** In the order in which they are applied; the names of the lists of a request. */
export const entryKinds = ['attributes', 'events', 'purchases'] as const;

export type EntryKind = (typeof entryKinds)[number];

type Creates = (kind: EntryKind, updateExistingOnly: boolean | undefined) => boolean;

const unlessRefused: Creates = (_kind, updateExistingOnly) => updateExistingOnly !== true;

export const creates: Record<Identifier['by'] | 'tokens', Creates> = {
  external_id: unlessRefused,
  // Updates only, by default. Only an attribute object can ask for more.
  user_alias: (kind, updateExistingOnly) => kind === 'attributes' && updateExistingOnly === false,
  service_id: () => false,
  email: unlessRefused,
  phone: unlessRefused,
  tokens: unlessRefused,
};
