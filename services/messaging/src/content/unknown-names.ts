/** Names that are not variables of Roster are told, not refused: another service may know them, and a content block may make them. */
import { nearest } from '@roster/contract';
import { groupIdsOf } from '../sending/settings.ts';
import { stateNames, variableNames } from '../sending/variables.ts';

const most = { faults: 10, length: 60 };

/** What a text of a message, or a content block, names. */
interface Text {
  place: string;
  names: readonly string[];
}

interface Unknown {
  place: string;
  name: string;
  known: readonly string[];
  what: string;
}

/** Beside what an answer says. */
export interface Told {
  faults?: { reason: string }[];
}

const help = (name: string, known: readonly string[]): string => {
  const near = nearest(name, known);
  if (near !== undefined) return `: did you mean ${near}?`;
  return known.includes('custom_attribute')
    ? `. An attribute of your own is {{custom_attribute.\${${name}}}}`
    : '';
};

const unknownIn = (texts: readonly Text[], known: readonly string[], what = 'a variable of Roster') =>
  texts.flatMap(({ place, names }) =>
    names
      .filter((name) => !known.includes(name))
      .map((name) => ({ place, name: name.slice(0, most.length), known, what })),
  );

const tell = (unknown: readonly Unknown[]): Told => {
  if (unknown.length === 0) return {};
  return {
    faults: unknown.slice(0, most.faults).map(({ place, name, known, what }) => ({
      reason: `${place}: ${name} is not ${what}${help(name, known)}`,
    })),
  };
};

export const unknownNames = (texts: readonly Text[], known: readonly string[]): Told =>
  tell(unknownIn(texts, known));

/** In messages and content blocks, where states are told as well. */
export const unknownInTexts = async (
  store: Parameters<typeof groupIdsOf>[0],
  ws: string,
  texts: readonly (Text & { states: readonly string[] })[],
): Promise<Told> => {
  const states = texts.map(({ place, states }) => ({ place, names: states }));
  const groups = states.some(({ names }) => names.length > 0) ? await groupIdsOf(store, ws) : [];
  return tell([
    ...unknownIn(texts, variableNames),
    ...unknownIn(states, stateNames(groups), 'a subscription group of the workspace'),
  ]);
};
