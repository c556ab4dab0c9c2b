/** Turns accepted entries into entries of the rules. */
import type {
  AliasToIdentify,
  AliasUpdate,
  EmailToIdentify,
  MergeIdentifier,
  MergeUpdate,
  NewAlias,
  PhoneToIdentify,
  Rename,
} from '@roster/contract';
import type { IdentityEntry, Named } from '@roster/profile';
import type { Body } from './body.ts';
import { alias, byEmail, byExternalId, byPhone, type Reader } from './readers-of-deletions.ts';

const mergeSide = (side: MergeIdentifier): Named => {
  const { external_id, user_alias, email, phone, prioritization = [] } = side;
  if (external_id != null) return byExternalId(external_id);
  if (user_alias != null) return alias(user_alias);
  return email == null ? byPhone({ phone: phone ?? '', prioritization }) : byEmail({ email, prioritization });
};

export const newAlias: Reader = ({ alias_label, alias_name, external_id }: NewAlias) => ({
  do: 'alias_new',
  label: alias_label,
  name: alias_name,
  ...(external_id != null && { external_id }),
});

export const aliasUpdate: Reader = ({ alias_label, old_alias_name, new_alias_name }: AliasUpdate) => ({
  do: 'alias_update',
  label: alias_label,
  from: old_alias_name,
  to: new_alias_name,
});

const identified =
  <Entry extends { external_id: string }>(named: (entry: Entry) => Named) =>
  (entry: Entry, { merge_behavior }: Body): IdentityEntry => ({
    do: 'identify',
    external_id: entry.external_id,
    named: named(entry),
    merges: merge_behavior === 'merge',
  });

export const identifiedByAlias: Reader = identified(({ user_alias }: AliasToIdentify) => alias(user_alias));
export const identifiedByEmail: Reader = identified((entry: EmailToIdentify) => byEmail(entry));
export const identifiedByPhone: Reader = identified((entry: PhoneToIdentify) => byPhone(entry));

export const merge: Reader = ({ identifier_to_merge, identifier_to_keep }: MergeUpdate) => ({
  do: 'merge',
  away: mergeSide(identifier_to_merge),
  kept: mergeSide(identifier_to_keep),
});

export const rename: Reader = ({ current_external_id, new_external_id }: Rename) => ({
  do: 'rename',
  from: current_external_id,
  to: new_external_id,
});

export const removal: Reader = ({ external_id }: { external_id: string }) => ({ do: 'remove', external_id });
