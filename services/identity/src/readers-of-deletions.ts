/** Turns accepted entries of deletions into entries of the rules. */
import type { EmailToDelete, PhoneToDelete, UserAlias } from '@roster/contract';
import type { IdentityEntry, Named } from '@roster/profile';
import type { Body } from './body.ts';

export const alias = ({ alias_label, alias_name }: UserAlias): Named => ({
  who: { by: 'user_alias', label: alias_label, name: alias_name },
});
export const byEmail = ({ email, prioritization }: EmailToDelete): Named => ({
  who: { by: 'email', email },
  prioritization,
});
export const byPhone = ({ phone, prioritization }: PhoneToDelete): Named => ({
  who: { by: 'phone', phone },
  prioritization,
});
export const byExternalId = (id: string): Named => ({ who: { by: 'external_id', id } });

export type Reader = (entry: never, body: Body) => IdentityEntry;

const deleted =
  <Entry>(named: (entry: Entry) => Named) =>
  (entry: Entry): IdentityEntry => ({ do: 'delete', named: named(entry) });

export const deletedByExternalId: Reader = deleted(({ external_id }: { external_id: string }) =>
  byExternalId(external_id),
);
export const deletedByAlias: Reader = deleted(alias);
export const deletedByServiceId: Reader = deleted(
  ({ service_id }: { service_id: string }): Named => ({ who: { by: 'service_id', id: service_id } }),
);
export const deletedByEmail: Reader = deleted(byEmail);
export const deletedByPhone: Reader = deleted(byPhone);
