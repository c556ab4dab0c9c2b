/** The places in a dead letter that name people, and the letter without them. */
import { type AcceptedRequest, isJsonObject, type PeoplePlace, placesNamed } from '@roster/contract';
import { importedTokens, keysNamed, type TrackEntry, tokenIdentity } from '@roster/profile';

export interface LetterPlace extends Pick<PeoplePlace, 'erase'> {
  /** Identity keys of all people named there. */
  keys: string[];
}

/** An import of push tokens has no identifier: it is about the people who have the tokens. */
const keysOf = (ws: string, named: PeoplePlace['named'][number]): string[] => {
  const keys = keysNamed(ws, [named]);
  if (keys.length > 0) return keys;
  return (importedTokens(named as TrackEntry) ?? []).map((token) => tokenIdentity(ws, token));
};

export const placesIn = ({ ws, op, body }: AcceptedRequest): LetterPlace[] =>
  placesNamed(op, body).flatMap(({ named, erase }) => {
    const keys = named.flatMap((one) => keysOf(ws, one));
    return keys.length > 0 ? [{ keys, erase }] : [];
  });

/** The request without these places; `undefined` when no person is left in it. */
export const without = (request: AcceptedRequest, places: readonly LetterPlace[]) => {
  const body = structuredClone(request.body);
  if (isJsonObject(body)) for (const place of places) place.erase(body);
  const left = { ...request, body };
  return placesIn(left).length > 0 ? left : undefined;
};
