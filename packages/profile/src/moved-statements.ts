import { saidIn } from './consent.ts';
import { channelOf } from './consent-keys.ts';
import type { Statement } from './consent-statements.ts';
import type { Consenting } from './consent-turns.ts';
import { contactAt } from './contact-periods.ts';

/** Whether `of` is the person, or was merged into them before. */
const isKnown = ({ contacts = [] }: Consenting, of: string | undefined): boolean =>
  of === undefined || contacts.some((one) => one.of === of);

/** Statements about themselves that, by the corrected list of contacts, belong to another contact than before. */
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
