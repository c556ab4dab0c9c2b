/** Names that are not variables of Roster are told, not refused: another service may know them, and a content block may make them. */
import { nearest } from '@roster/contract';
import { variableNames } from '../sending/variables.ts';

const most = { faults: 10, length: 60 };

/** Of what a text of a message, or a content block, names. */
interface Text {
  place: string;
  names: readonly string[];
}

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

export const unknownNames = (texts: readonly Text[], known: readonly string[] = variableNames): Told => {
  const unknown = texts.flatMap(({ place, names }) =>
    names.filter((name) => !known.includes(name)).map((name) => [place, name.slice(0, most.length)] as const),
  );
  if (unknown.length === 0) return {};
  return {
    faults: unknown.slice(0, most.faults).map(([place, name]) => ({
      reason: `${place}: ${name} is not a variable of Roster${help(name, known)}`,
    })),
  };
};

/** Alone, beside what an answer says. */
export const toldIn = ({ faults }: Told = {}): Told => (faults ? { faults } : {});
