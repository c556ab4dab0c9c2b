/**
 * The places in accepted bodies where an operation names people. Every row in a queue with dead letters declares them; notices, contested
 * people and the erasure of dead letters are derived from them.
 */
import type { Identifiers } from './types.ts';

export interface PeopleList {
  /** A text is the name of a person and nothing else; among objects it is the code of a refused entry. */
  readonly of: 'objects' | 'texts';
  /** Each person of an entry, by the identifier that counts. */
  readonly named: (entry: never) => readonly Identifiers[];
}

export interface PeopleIn<List extends string = string> {
  /** The lists stand in each object of this array; in the body itself when there is no word of it. */
  readonly within?: string;
  readonly lists: { readonly [Name in List]: PeopleList };
}

export const objects = <Entry>(named: (entry: Entry) => readonly Identifiers[]): PeopleList => ({
  of: 'objects',
  named,
});

export const texts = (by: 'external_id' | 'service_id' | 'email' | 'phone'): PeopleList => ({
  of: 'texts',
  named: (text: string) => [{ [by]: text }],
});

/** Each entry is about one person and has the identifiers as members. */
export const oneEach: PeopleList = objects((entry: Identifiers) => [entry]);
