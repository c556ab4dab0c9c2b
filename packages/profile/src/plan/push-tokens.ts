/** Push tokens of an entry: the keys of an import, and device ids for tokens that come without one. */

import { deviceIdOf } from '../find/service-id.ts';
import { isNested, type Nested } from '../fold/nested.ts';
import type { Value } from '../profile.ts';
import { pushTokenKey } from '../reading/reading-lists.ts';

interface TokenEntry {
  push_token_import?: Value | undefined;
  push_tokens?: Value | undefined;
}

const isToken = (value: Value): value is Nested => isNested(value) && typeof value.token === 'string';

const tokensIn = ({ push_tokens }: TokenEntry): Nested[] =>
  Array.isArray(push_tokens) ? push_tokens.filter(isToken) : [];

/** The keys of the tokens of an import without identifiers, each once. */
export const importedTokens = (entry: TokenEntry): string[] | undefined => {
  if (entry.push_token_import !== true) return undefined;
  const keys = new Set(tokensIn(entry).flatMap((token) => pushTokenKey(token) ?? []));
  return keys.size > 0 ? [...keys] : undefined;
};

/** The entry with only these of its tokens. */
export const withTokens = <Some extends TokenEntry>(entry: Some, keys: ReadonlySet<string>): Some => ({
  ...entry,
  push_tokens: tokensIn(entry).filter((token) => keys.has(pushTokenKey(token) ?? '')),
});

/** A repeated request gets the same device ids again. */
export const withDeviceIds = <Some extends TokenEntry>(entry: Some, requestId: string, position: number) => {
  const tokens = Array.isArray(entry.push_tokens) ? entry.push_tokens : [];
  if (tokens.every((token) => isToken(token) && token.device_id != null)) return entry;
  const push_tokens = tokens.map((token) =>
    isToken(token) && token.device_id == null
      ? { ...token, device_id: deviceIdOf(requestId, position, pushTokenKey(token) ?? '') }
      : token,
  );
  return { ...entry, push_tokens };
};
