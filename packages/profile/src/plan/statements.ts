/** Statements of consent in an attribute object: about the person, and about the contact that the person had at the time. */
import type { Change } from '../change.ts';
import { channelOf } from '../consent-keys.ts';
import type { Statement } from '../consent-statements.ts';
import { contactAt } from '../contact-periods.ts';
import type { Profile } from '../profile.ts';
import type { FoundPerson } from './find-person.ts';
import type { AnyItem } from './item.ts';
import type { People } from './people.ts';
import { isOfContact, sayOfAbsorbed } from './statements-of-absorbed.ts';

const everything = Number.POSITIVE_INFINITY;

export const isConsent = ({ kind }: Change): boolean => kind === 'consent';

/** The changes without statements about contacts or about a person who was merged away. */
export const changesOfPerson = (item: AnyItem, { is }: FoundPerson, changes: readonly Change[]): Change[] =>
  is === 'followed'
    ? changes.filter((change) => !isConsent(change))
    : changes.filter((change) => change.kind !== 'consent' || !isOfContact(item, change.k));

export const createStatements = (people: Pick<People, 'contacts' | 'isErased' | 'add'>) => {
  /** The contact of the person at the time of the statement. If the person has left it and its last owner was deleted since, the statement is too late. */
  const contactThen = (
    profile: Profile,
    { k, at }: Statement,
    away: string | undefined,
  ): string | undefined => {
    const c = channelOf(k);
    const key = c && contactAt(profile, c, at, away);
    if (!c || key === undefined) return undefined;
    const isLeft = key !== contactAt(profile, c, everything);
    return isLeft && people.isErased(key, at) ? undefined : key;
  };

  /** All statements of one contact at once: there may be as many as there are subscription groups. */
  return (item: AnyItem, found: FoundPerson, profile: Profile, statements: readonly Statement[]): void => {
    const away = found.is === 'followed' ? found.away : undefined;
    const said = new Map<string, Statement[]>();
    for (const statement of statements) {
      const key = isOfContact(item, statement.k) ? item.key : contactThen(profile, statement, away);
      if (key === undefined) continue;
      const some = said.get(key);
      if (some) some.push(statement);
      else said.set(key, [statement]);
    }
    for (const [key, some] of said) people.contacts.say(item.origin.ws, key, some, key === item.key);
    if (away !== undefined) sayOfAbsorbed(people, item, profile, statements, away);
  };
};
