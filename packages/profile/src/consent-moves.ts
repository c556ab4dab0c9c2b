/** Who comes to another email or phone: which contacts they left, what they take along, and what turns out to be said of another one. */
import { channelOf, countingIn, type Statement, saidIn } from './consent.ts';
import type { Consenting } from './consent-states.ts';
import { channels, contactAt, staysOf } from './contact-log.ts';
import type { Consent, Stamp } from './profile.ts';

/** Contacts that they have left, as far as that was not known before. */
export const leftBetween = (before: Consenting, after: Consenting): { key: string; until: Stamp }[] =>
  channels.flatMap((c) => {
    const known = new Set(staysOf(before, c).map(({ key, until }) => `${until} ${key}`));
    return staysOf(after, c).flatMap(({ key, until }) =>
      key !== undefined && until < Number.POSITIVE_INFINITY && !known.has(`${until} ${key}`)
        ? [{ key, until }]
        : [],
    );
  });

/** What somebody who leaves a contact takes along: the contact may be forgotten before them. */
export const keptOnLeaving = (key: string, until: Stamp, registers: readonly Consent[]): Statement[] =>
  registers.flatMap((register) => {
    const said = countingIn(register).findLast(({ at }) => at < until);
    return said ? [{ ...said, k: register.k, of: key }] : [];
  });

/** The person, or somebody who was merged into them before. */
const isKnown = ({ contacts = [] }: Consenting, of: string | undefined): boolean =>
  of === undefined || contacts.some((one) => one.of === of);

/** What they said of themselves that, by the contacts they had, was said of another contact than was known. */
export const movedStatements = (
  before: Consenting,
  after: Consenting,
): { statement: Statement; out?: string; into?: string }[] =>
  after.consents.flatMap((register) => {
    const c = channelOf(register.k);
    if (c === undefined) return [];
    return saidIn(register)
      .filter((said) => said.of === undefined && isKnown(before, said.from))
      .flatMap(({ from, on: _, ...said }) => {
        const [out, into] = [contactAt(before, c, said.at, from), contactAt(after, c, said.at, from)];
        if (out === into) return [];
        const statement: Statement = { ...said, k: register.k };
        return [{ statement, ...(out !== undefined && { out }), ...(into !== undefined && { into }) }];
      });
  });
