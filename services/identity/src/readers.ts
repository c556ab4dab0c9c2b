/** Turns accepted entries into entries of the rules. */
import type {
  AliasToIdentify,
  AliasUpdate,
  EmailToDelete,
  EmailToIdentify,
  MergeIdentifier,
  MergeUpdate,
  NewAlias,
  PhoneToDelete,
  PhoneToIdentify,
  Rename,
  UserAlias,
} from '@roster/contract';
import type { IdentityEntry, NamedPerson } from '@roster/profile';
import type { IdentityBody } from './body.ts';

const alias = ({ alias_label, alias_name }: UserAlias): NamedPerson => ({
  who: { by: 'user_alias', label: alias_label, name: alias_name },
});
const byEmail = ({ email, prioritization }: EmailToDelete): NamedPerson => ({
  who: { by: 'email', email },
  prioritization,
});
const byPhone = ({ phone, prioritization }: PhoneToDelete): NamedPerson => ({
  who: { by: 'phone', phone },
  prioritization,
});
const byExternalId = (id: string): NamedPerson => ({ who: { by: 'external_id', id } });

const mergeSide = (side: MergeIdentifier): NamedPerson => {
  const { external_id, user_alias, email, phone, prioritization = [] } = side;
  if (external_id != null) return byExternalId(external_id);
  if (user_alias != null) return alias(user_alias);
  return email == null ? byPhone({ phone: phone ?? '', prioritization }) : byEmail({ email, prioritization });
};

export type EntryReader = (entry: never, body: IdentityBody) => IdentityEntry;

export const newAlias: EntryReader = ({ alias_label, alias_name, external_id }: NewAlias) => ({
  do: 'alias_new',
  label: alias_label,
  name: alias_name,
  ...(external_id != null && { external_id }),
});

export const aliasUpdate: EntryReader = ({ alias_label, old_alias_name, new_alias_name }: AliasUpdate) => ({
  do: 'alias_update',
  label: alias_label,
  from: old_alias_name,
  to: new_alias_name,
});

const identified =
  <Entry extends { external_id: string }>(named: (entry: Entry) => NamedPerson) =>
  (entry: Entry, { merge_behavior }: IdentityBody): IdentityEntry => ({
    do: 'identify',
    external_id: entry.external_id,
    named: named(entry),
    merges: merge_behavior === 'merge',
  });

export const identifiedByAlias: EntryReader = identified(({ user_alias }: AliasToIdentify) =>
  alias(user_alias),
);
export const identifiedByEmail: EntryReader = identified((entry: EmailToIdentify) => byEmail(entry));
export const identifiedByPhone: EntryReader = identified((entry: PhoneToIdentify) => byPhone(entry));

export const merge: EntryReader = ({ identifier_to_merge, identifier_to_keep }: MergeUpdate) => ({
  do: 'merge',
  away: mergeSide(identifier_to_merge),
  kept: mergeSide(identifier_to_keep),
});

const deleted =
  <Entry>(named: (entry: Entry) => NamedPerson) =>
  (entry: Entry): IdentityEntry => ({ do: 'delete', named: named(entry) });

export const deletedByExternalId: EntryReader = deleted(({ external_id }: { external_id: string }) =>
  byExternalId(external_id),
);
export const deletedByAlias: EntryReader = deleted(alias);
export const deletedByServiceId: EntryReader = deleted(
  ({ service_id }: { service_id: string }): NamedPerson => ({ who: { by: 'service_id', id: service_id } }),
);
export const deletedByEmail: EntryReader = deleted(byEmail);
export const deletedByPhone: EntryReader = deleted(byPhone);

export const rename: EntryReader = ({ current_external_id, new_external_id }: Rename) => ({
  do: 'rename',
  from: current_external_id,
  to: new_external_id,
});

export const removal: EntryReader = ({ external_id }: { external_id: string }) => ({
  do: 'remove',
  external_id,
});
