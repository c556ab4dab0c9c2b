/** Whether an entry creates a person, updates one, or does nothing (api.md: /users/track). */
import type { Identifier } from './identifier.ts';

/** In the order in which they are applied; the names of the lists of a request. */
export const entryKinds = ['attributes', 'events', 'purchases'] as const;

export type EntryKind = (typeof entryKinds)[number];

export type Decision = { do: 'create' } | { do: 'update' } | { do: 'ignore'; reason: 'no_such_user' };

export interface CreateQuestion {
  by: Identifier['by'];
  kind: EntryKind;
  exists: boolean;
  updateExistingOnly: boolean | undefined;
}

const update: Decision = { do: 'update' };
const create: Decision = { do: 'create' };
const noSuchUser: Decision = { do: 'ignore', reason: 'no_such_user' };

/** May an entry by this identifier create the person it names? */
const creates: Record<Identifier['by'], (question: CreateQuestion) => boolean> = {
  external_id: ({ updateExistingOnly }) => updateExistingOnly !== true,
  // Updates only, by default. Only an attribute object can ask for more.
  user_alias: ({ kind, updateExistingOnly }) => kind === 'attributes' && updateExistingOnly === false,
  service_id: () => false,
  email: ({ updateExistingOnly }) => updateExistingOnly !== true,
  phone: ({ updateExistingOnly }) => updateExistingOnly !== true,
};

export const decide = (question: CreateQuestion): Decision => {
  if (question.exists) return update;
  return creates[question.by](question) ? create : noSuchUser;
};
