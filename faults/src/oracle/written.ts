/** The visible part of a state: all people found by the names that are looked up. */
import { consentOf, registers } from './consents.ts';
import { answersTo, keyOf, type Person, type Ref, type Register, type State } from './state.ts';

/** A person as they are exported, and the names that led there. */
export interface Shown {
  keys: readonly string[];
  ext?: string | undefined;
  aliases: readonly string[];
  email?: string | undefined;
  phone?: string | undefined;
  tokens: readonly string[];
  colour?: unknown;
  visits?: unknown;
  consents: Partial<Record<Register, string | null | undefined>>;
}

/** As one text, the same for the same person however it came about. */
export const written = (shown: Shown): string =>
  JSON.stringify([
    shown.keys.toSorted(),
    shown.ext ?? null,
    shown.aliases.toSorted(),
    shown.email ?? null,
    shown.phone ?? null,
    shown.tokens.toSorted(),
    shown.colour ?? null,
    shown.visits ?? null,
    registers.map((register) => shown.consents[register] ?? null),
  ]);

export const tokensIn = (text: string): string[] => JSON.parse(text)[5];

const show = (state: State, person: Person, asked: readonly Ref[]): Shown => {
  const { aliases, said: _, ...rest } = person;
  return {
    ...rest,
    keys: asked.filter((who) => answersTo(person, who)).map(keyOf),
    aliases: aliases.map((alias) => keyOf({ alias })),
    consents: Object.fromEntries(registers.map((one) => [one, consentOf(state, person, one)])),
  };
};

export const writtenAll = (state: State, asked: readonly Ref[]): string =>
  state.people
    .map((person) => show(state, person, asked))
    .filter(({ keys }) => keys.length > 0)
    .map(written)
    .sort()
    .join('\n');
