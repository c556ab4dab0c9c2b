/** A change of the email or phone of a person: the contacts that they left, the statements that they keep, and statements that now belong to another contact. */
import type { Consent, Profile, Stamp } from '../profile.ts';
import { channelOf, countingIn, inOrder, type Stated, saidIn, saidOf, withStatements } from './consent.ts';
import type { Consenting } from './consent-states.ts';
import { channels, contactAt, contactPeriodsOf } from './contact-log.ts';
import type { Contacts } from './contacts.ts';

/** The contacts that they have left, as far as that was not known before. */
const leftBetween = (before: Consenting, after: Consenting): { key: string; until: Stamp }[] =>
  channels.flatMap((c) => {
    const known = new Set(contactPeriodsOf(before, c).map(({ key, until }) => `${until} ${key}`));
    return contactPeriodsOf(after, c).flatMap(({ key, until }) =>
      key !== undefined && until < Number.POSITIVE_INFINITY && !known.has(`${until} ${key}`)
        ? [{ key, until }]
        : [],
    );
  });

/** The statements that a person keeps when they leave a contact: the store may forget the contact before the person. */
const keptOnLeaving = (key: string, until: Stamp, registers: readonly Consent[]): Stated[] =>
  registers.flatMap((register) => {
    const said = countingIn(register).findLast(({ at }) => at < until);
    return said ? [{ ...said, k: register.k, of: key }] : [];
  });

/**
 * The registers of a person with all that they keep of a contact that they have left; `undefined` when they lack nothing. What was said before they left
 * and applied after it stands only with the contact, until the contact is forgotten.
 */
export const withKeptOf = (person: Consenting, key: string, registers: readonly Consent[]) => {
  const lacking = channels
    .flatMap((c) => contactPeriodsOf(person, c))
    .filter((period) => period.key === key && period.until < Number.POSITIVE_INFINITY)
    .flatMap(({ until }) => keptOnLeaving(key, until, registers))
    .filter(
      (one) => !saidOf(person.consents, one.k).some((said) => said.of === key && inOrder(said, one) === 0),
    );
  return lacking.length === 0 ? undefined : withStatements(person.consents, lacking);
};

/** Whether `of` is the person, or was merged into them before. */
const isKnown = ({ contacts = [] }: Consenting, of: string | undefined): boolean =>
  of === undefined || contacts.some((one) => one.of === of);

/** Statements about the person that belong to another contact than before, according to the corrected list of contacts. */
const movedStatements = (before: Consenting, after: Consenting) =>
  after.consents.flatMap((register) => {
    const c = channelOf(register.k);
    if (c === undefined) return [];
    return saidIn(register)
      .filter((said) => said.of === undefined && isKnown(before, said.from))
      .flatMap(({ from, on: _, ...said }) => {
        const [out, into] = [contactAt(before, c, said.at, from), contactAt(after, c, said.at, from)];
        if (out === into) return [];
        const statement: Stated = { ...said, k: register.k };
        return [{ statement, ...(out !== undefined && { out }), ...(into !== undefined && { into }) }];
      });
  });

const isSame = (before: Profile, after: Profile): boolean =>
  before.contacts === after.contacts &&
  before.fields.email === after.fields.email &&
  before.fields.phone === after.fields.phone;

/** Statements move to the contact that the person had at the time, and the person keeps the states of the contact they left. */
export const createMoving =
  (contacts: Contacts) =>
  (before: Profile, after: Profile, { at }: { at: Stamp }): Profile => {
    if (isSame(before, after)) return after;
    const { ws } = after;
    for (const { statement, out, into } of movedStatements(before, after)) {
      // Entries of one request come one after the other.
      if (statement.at === at) continue;
      if (out !== undefined) contacts.retract(ws, out, statement);
      if (into !== undefined) contacts.say(ws, into, [statement]);
    }
    const kept = leftBetween(before, after).flatMap(({ key, until }) => {
      contacts.leave(ws, key);
      return keptOnLeaving(key, until, contacts.get(key));
    });
    return kept.length > 0 ? { ...after, consents: withStatements(after.consents, kept) } : after;
  };
