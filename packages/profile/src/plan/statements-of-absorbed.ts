/** Statements about contacts that a person merged into this one had. */
import { mergedAt } from '../absorbed-people.ts';
import { channelOf } from '../consent-keys.ts';
import type { Statement } from '../consent-statements.ts';
import type { Profile } from '../profile.ts';
import type { AnyItem } from './item.ts';
import type { People } from './people.ts';

/** An entry by an email that says something about emails, or by a phone about text messages: about the contact, not about a person. */
export const isOfContact = ({ identifier }: AnyItem, k: string): boolean => channelOf(k) === identifier.by;

/** Statements of a person who was merged away, where the kept person lacks them. */
export const sayOfAbsorbed = (
  people: Pick<People, 'add'>,
  item: AnyItem,
  profile: Profile,
  statements: readonly Statement[],
  away: string,
): void => {
  const on = mergedAt(profile, away);
  const theirs = statements.filter(({ k }) => !isOfContact(item, k));
  if (on === undefined || theirs.length === 0) return;
  people.add(
    profile,
    theirs.map((statement) => ({ ...statement, from: away, on })),
  );
};
