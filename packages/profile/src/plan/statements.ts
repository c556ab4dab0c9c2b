/** Statements of consent in an attribute object: about the person, and about the contact that the person had at the time. */
import { mergeOf } from '../consent/absorbed-contacts.ts';
import { channelOf, type Stated } from '../consent/consent.ts';
import { contactAt } from '../consent/contact-log.ts';
import { grouped } from '../grouped.ts';
import type { Profile } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';
import type { FoundPerson } from './find-person.ts';
import type { AnyItem } from './item.ts';
import type { People } from './people.ts';

const everything = Number.POSITIVE_INFINITY;

export const isConsent = ({ kind }: ProfileChange): boolean => kind === 'consent';

/** An entry by an email that says something about emails, or by a phone about text messages: about the contact, not about a person. */
const isOfContact = ({ identifier }: AnyItem, k: string): boolean => channelOf(k) === identifier.by;

/** The changes without statements about contacts or about a person who was merged away. */
export const changesOfPerson = (item: AnyItem, { is }: FoundPerson, changes: readonly ProfileChange[]) =>
  is === 'followed'
    ? changes.filter((change) => !isConsent(change))
    : changes.filter((change) => change.kind !== 'consent' || !isOfContact(item, change.k));

/** Statements about a person who was merged away: the kept person gets the ones that they lack. */
const sayOfAbsorbed = (
  people: Pick<People, 'add'>,
  item: AnyItem,
  profile: Profile,
  statements: readonly Stated[],
  away: string,
): void => {
  const on = mergeOf(profile, away)?.at;
  if (on === undefined) return;
  const theirs = statements
    .filter(({ k }) => !isOfContact(item, k))
    .map((statement) => ({ ...statement, from: away, on }));
  if (theirs.length > 0) people.add(profile, theirs);
};

export const createStatements = (people: Pick<People, 'contacts' | 'isErased' | 'add'>) => {
  /** The contact of the person at the time of the statement. If the person has left it and its last owner was deleted since, the statement is too late. */
  const contactThen = (profile: Profile, { k, at }: Stated, away: string | undefined): string | undefined => {
    const c = channelOf(k);
    const key = c && contactAt(profile, c, at, away);
    if (!c || key === undefined) return undefined;
    const isLeft = key !== contactAt(profile, c, everything);
    return isLeft && people.isErased(key, at) ? undefined : key;
  };

  /** All statements of one contact at once: there may be as many as there are subscription groups. */
  return (item: AnyItem, found: FoundPerson, profile: Profile, statements: readonly Stated[]): void => {
    const away = found.is === 'followed' ? found.away : undefined;
    const said = grouped(statements, (statement) =>
      isOfContact(item, statement.k) ? item.key : contactThen(profile, statement, away),
    );
    for (const [key, some] of said)
      if (key !== undefined) people.contacts.say(item.origin.ws, key, some, key === item.key);
    if (away !== undefined) sayOfAbsorbed(people, item, profile, statements, away);
  };
};
