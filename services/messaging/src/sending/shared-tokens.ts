/** Earlier versions let a push token stay with many people, and it does until it comes with another one: who did not send it last gets nothing by it. */
import { lostTokens, type Profile, type TokenHolder, withoutTokens } from '@roster/profile';
import type { Store } from '@roster/store';

/** Besides the people who are read. */
const mostOthers = 1_000;

const tokensOf = ({ lists }: TokenHolder): string[] => (lists?.push_tokens?.items ?? []).map(({ k }) => k);

/** The same people, of one workspace. Nearly always nobody shares a token: then an index is asked for a number. */
export const withOwnTokens = async (
  { profiles }: Pick<Store, 'profiles'>,
  people: readonly Profile[],
): Promise<readonly Profile[]> => {
  const holders = people.filter((person) => tokensOf(person).length > 0);
  const [first] = holders;
  if (!first) return people;
  const tokens = new Set(holders.flatMap(tokensOf));
  const which = { ws: first.ws, token_keys: { $in: [...tokens] } };
  const n = await profiles.countDocuments(which, { limit: holders.length + 1 });
  const others: TokenHolder[] =
    n > holders.length
      ? await profiles
          .find(
            { ...which, _id: { $nin: holders.map(({ _id }) => _id) } },
            { projection: { 'lists.push_tokens': 1 }, limit: mostOthers },
          )
          .toArray()
      : [];
  const lost = lostTokens<TokenHolder>([...holders, ...others], tokens);
  return people.map((person) => {
    const theirs = lost.get(person);
    return theirs ? { ...person, lists: withoutTokens(person, theirs).lists } : person;
  });
};
