/** The identifier that names the person of an entry. The entry has been judged: exactly one way is valid. */

export type Identifier =
  | { by: 'external_id'; id: string }
  | { by: 'user_alias'; label: string; name: string }
  | { by: 'service_id'; id: string }
  | { by: 'email'; email: string }
  | { by: 'phone'; phone: string };

export interface Identified {
  external_id?: string;
  user_alias?: { alias_name: string; alias_label: string };
  service_id?: string;
  email?: string | null;
  phone?: string | null;
}

/** Email and phone count only without one of the other three; email before phone. */
export const identifierOf = (entry: Identified): Identifier | undefined => {
  const { external_id, user_alias, service_id, email, phone } = entry;
  if (external_id != null) return { by: 'external_id', id: external_id };
  if (user_alias != null)
    return { by: 'user_alias', label: user_alias.alias_label, name: user_alias.alias_name };
  if (service_id != null) return { by: 'service_id', id: service_id };
  if (email != null) return { by: 'email', email };
  return phone == null ? undefined : { by: 'phone', phone };
};
