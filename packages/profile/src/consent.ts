/**
 * Registers of consent: the statements about a contact or a person. A register is a set of statements in the order of record, so
 * they may be added in any order, twice, or late; the last one counts.
 */

import { registerOf } from './consent-register.ts';
import type { Consent, Said, Stamp } from './profile.ts';

/** Two statements with the same key are one. */
export const keyOf = ({ at, n = 0, of = '', from = '' }: Said): string => `${at} ${n} ${of} ${from}`;

/** Oldest first; the statement that counts comes last. */
export const saidIn = ({ k: _, earlier = [], ...last }: Consent): Said[] => [...earlier, last];

/** The statements of a register that count, oldest first. */
export const countingIn = (register: Consent): Said[] => saidIn(register).filter(({ gone }) => !gone);

/** The statements after a stamp. */
export const saidAfter = (registers: readonly Consent[], stamp: Stamp): Consent[] =>
  registers.flatMap(
    (one) =>
      registerOf(
        one.k,
        saidIn(one).filter((said) => said.at > stamp),
      ) ?? [],
  );
