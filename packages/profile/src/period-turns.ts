/** The statements that count for a person during one contact period. */
import { inOrder } from './consent-register.ts';
import type { ContactPeriod } from './contact-periods.ts';
import type { Said, Stamp } from './profile.ts';

/** A statement when it began to count for the person. */
export interface Turn {
  moment: Stamp;
  said: Said;
  /** It was stated before the person had the contact. */
  isOlder?: true;
}

const isPlain = ({ of, from }: Said): boolean => of === undefined && from === undefined;

const isWithin = ({ at }: Said, { from, until }: ContactPeriod): boolean => at >= from && at < until;

/** Statements that the person kept, joined with those of the contact today. A retracted statement is marked `gone`. */
const together = (keptByPerson: readonly Said[], ofContact: readonly Said[]): Said[] => {
  const all = [...keptByPerson, ...ofContact].map((one): [string, Said] => [`${one.at} ${one.n ?? 0}`, one]);
  return [...new Map(all).values()].filter(({ gone }) => !gone);
};

/** The states during a contact period: statements about the contact, and statements that the person kept when they left it. */
export const turnsIn = (period: ContactPeriod, own: readonly Said[], ofContact: readonly Said[]): Turn[] => {
  const { key, from } = period;
  const themselves = own.filter((said) => isPlain(said) && isWithin(said, period));
  const contact =
    key === undefined
      ? []
      : together(
          own.filter(({ of }) => of === key),
          ofContact,
        );
  const before = contact
    .filter(({ at }) => at < from)
    .toSorted(inOrder)
    .at(-1);
  const during = [...themselves, ...contact.filter((said) => isWithin(said, period))];
  return [
    ...(before ? [{ moment: from, said: before, isOlder: true as const }] : []),
    ...during.map((said) => ({ moment: said.at, said })),
  ];
};

export const inTurn = (a: Turn, b: Turn): number =>
  a.moment - b.moment ||
  Number(b.isOlder ?? false) - Number(a.isOlder ?? false) ||
  Number(a.said.from !== undefined) - Number(b.said.from !== undefined) ||
  (a.said.n ?? 0) - (b.said.n ?? 0);
