/** Identity keys: `<workspace>:<kind>:<value>`, made and parsed here and nowhere else. */
import { type Identified, type Identifier, identifierOf } from './identifier.ts';

/** The compared form of an email; it is stored as given. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** The kinds of identity keys. */
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

/** The identity key of a push token. */
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

/** The keys of people, by the identifiers with which entries name them. */
export const keysNamed = (ws: string, entries: readonly Identified[]): string[] =>
  entries.flatMap((entry) => {
    const identifier = identifierOf(entry);
    return identifier ? [identityKey(ws, identifier)] : [];
  });
