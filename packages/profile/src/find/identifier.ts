/** The identifier that names the person of an entry. The entry has been judged: exactly one way is valid. */

export type Identifier =
  | { by: 'external_id'; id: string }
  | { by: 'user_alias'; label: string; name: string }
  | { by: 'service_id'; id: string }
  | { by: 'email'; email: string }
  | { by: 'phone'; phone: string };

export interface NamedByEntry {
  external_id?: string;
  user_alias?: { alias_name: string; alias_label: string };
  service_id?: string;
  email?: string | null;
  phone?: string | null;
}

/** The compared form of an email; it is stored as given. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** Email and phone count only without one of the other three; email before phone. */
export const identifierOf = (entry: NamedByEntry): Identifier | undefined => {
  const { external_id, user_alias, service_id, email, phone } = entry;
  if (external_id != null) return { by: 'external_id', id: external_id };
  if (user_alias != null)
    return { by: 'user_alias', label: user_alias.alias_label, name: user_alias.alias_name };
  if (service_id != null) return { by: 'service_id', id: service_id };
  if (email != null) return { by: 'email', email };
  return phone == null ? undefined : { by: 'phone', phone };
};

export type KeyKind = Identifier['by'] | 'push_token';

/** The letter of each kind in identity keys. */
const letters = {
  external_id: 'e',
  user_alias: 'a',
  service_id: 's',
  email: 'm',
  phone: 'p',
  push_token: 't',
} as const satisfies Record<KeyKind, string>;

const kinds: ReadonlyMap<string, KeyKind> = new Map(
  (Object.keys(letters) as KeyKind[]).map((by) => [letters[by], by]),
);

const keyOf = (ws: string, by: KeyKind, value: string): string => `${ws}:${letters[by]}:${value}`;

export const tokenIdentity = (ws: string, tokenKey: string): string => keyOf(ws, 'push_token', tokenKey);

/**
 * One text for each identifier of each workspace, never the same for two: a workspace's name has no colon, and of the two parts of
 * an alias the first is preceded by its length.
 */
export const identityKey = (ws: string, identifier: Identifier): string => {
  switch (identifier.by) {
    case 'external_id':
    case 'service_id':
      return keyOf(ws, identifier.by, identifier.id);
    case 'user_alias':
      return keyOf(ws, identifier.by, `${identifier.label.length}:${identifier.label}:${identifier.name}`);
    case 'email':
      return keyOf(ws, identifier.by, emailKey(identifier.email));
    case 'phone':
      return keyOf(ws, identifier.by, identifier.phone);
  }
};

/** The parts of an identity key. The value of an alias still holds label and name. */
interface KeyParts {
  ws: string;
  by: KeyKind;
  value: string;
}

/** Parses an identity key; `undefined` for any other text. */
export const keyParts = (key: string): KeyParts | undefined => {
  const colon = key.indexOf(':');
  const by = kinds.get(key.charAt(colon + 1));
  if (colon < 0 || by === undefined || key.charAt(colon + 2) !== ':') return undefined;
  return { ws: key.slice(0, colon), by, value: key.slice(colon + 3) };
};

/** What an entry sent to name the owner of this key: an external id or an alias. */
export const nameIn = (key: string): Pick<NamedByEntry, 'external_id' | 'user_alias'> => {
  const { by, value = '' } = keyParts(key) ?? {};
  if (by !== 'user_alias') return { external_id: value };
  const colon = value.indexOf(':');
  const end = colon + 1 + Number(value.slice(0, colon));
  return { user_alias: { alias_label: value.slice(colon + 1, end), alias_name: value.slice(end + 1) } };
};

/** The keys of people, by the identifiers with which entries name them. */
export const keysNamed = (ws: string, entries: readonly NamedByEntry[]): string[] =>
  entries.flatMap((entry) => {
    const identifier = identifierOf(entry);
    return identifier ? [identityKey(ws, identifier)] : [];
  });
