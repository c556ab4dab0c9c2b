/** The statements that count for a person, in order: of each contact period, and of the people merged into the person. */
import { contactsOf } from './absorbed-contacts.ts';
import { absorbedIn } from './absorbed-people.ts';
import { type Channel, channelOf } from './consent-keys.ts';
import { saidOf, withSaid } from './consent-statements.ts';
import { type ContactPeriod, contactAt, contactPeriodsOf, contactValueAt } from './contact-periods.ts';
import { inTurn, type Turn, turnsIn } from './period-turns.ts';
import type { Consent, Profile, Said, Stamp } from './profile.ts';

/** The registers of contacts, by identity key. */
export interface ContactConsents {
  get(key: string): readonly Consent[] | undefined;
}

/** The members of a profile that consent is read from. */
export type Consenting = Pick<Profile, 'ws' | 'fields' | 'consents' | 'contacts'>;

const always: ContactPeriod = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** Whether the person got a contact by a change of their own, not by a merge. */
const cameToOther = (
  person: Consenting,
  other: Consenting,
  c: Channel,
  [after, until]: readonly [Stamp, Stamp],
): boolean => {
  const merges = new Set(absorbedIn(person).map(({ on }) => on));
  return contactPeriodsOf(person, c).some(
    ({ key, from }) =>
      key !== undefined &&
      from > after &&
      from <= until &&
      !merges.has(from) &&
      key !== contactAt(other, c, from),
  );
};

/** The states of absorbed people in channels in which the person had no contact: they count where there is no other state. */
const mergedIn = (person: Consenting, contacts: ContactConsents, k: string): Turn[] => {
  const own = saidOf(person.consents, k);
  const c = channelOf(k);
  return absorbedIn(person).flatMap((absorbed) => {
    const { away, on } = absorbed;
    if (c && contactValueAt(person, c, on - 1) !== undefined) return [];
    const theirs = own.flatMap((said): Said[] => {
      const { from, on: _, ...rest } = said;
      if (from === undefined) return [];
      return from === away ? [rest] : [said];
    });
    const as = {
      ws: person.ws,
      fields: {},
      consents: withSaid([], k, ...theirs),
      contacts: contactsOf(person, absorbed),
    };
    const last = turnsOf(as, contacts, k).at(-1);
    // Stated while the merge was waiting: the kept person had a contact by then.
    if (c && last && cameToOther(person, as, c, [on, last.moment])) return [];
    return last ? [{ moment: on, said: { ...last.said, from: away } }] : [];
  });
};

/** Every statement that counted for the person, in the order in which they did. */
export const turnsOf = (person: Consenting, contacts: ContactConsents, k: string): Turn[] => {
  const own = saidOf(person.consents, k);
  const channel = channelOf(k);
  const periods = channel ? contactPeriodsOf(person, channel) : [always];
  const turns = periods.flatMap((period) => turnsIn(period, own, saidOf(contacts.get(period.key ?? ''), k)));
  const merged = mergedIn(person, contacts, k);
  if (merged.length === 0) return turns.toSorted(inTurn);
  const counting: Turn[] = [];
  for (const turn of [...turns, ...merged].toSorted(inTurn))
    if (turn.said.from === undefined || counting.length === 0) counting.push(turn);
  return counting;
};
