/** The people that an accepted body names, place by place, as the row of its operation says. */
import { operationById } from './operations/index.ts';
import type { PeopleList } from './people.ts';
import { type Identifiers, isJsonObject, type Json, listAt } from './types.ts';

type Body = { [name: string]: Json | undefined };

/** Stands where an entry was; it counts as refused. */
export const erased = 'ERASED';

export interface PeoplePlace {
  /** The name of the list. */
  list: string;
  named: readonly Identifiers[];
  /** Erases the person from the body, in place: the caller owns the body. */
  erase(body: Body): void;
}

/** The body, or the objects inside of it in which the lists stand. */
const holdersIn = (body: Body, within: string | undefined): (Body | undefined)[] =>
  within === undefined
    ? [body]
    : listAt(body, within).map((holder) => (isJsonObject(holder) ? holder : undefined));

/** The judge has seen the entry. */
const namedBy = ({ of, named }: PeopleList, entry: Json): readonly Identifiers[] =>
  (of === 'texts' ? typeof entry === 'string' : isJsonObject(entry)) ? named(entry as never) : [];

/** Of a name nothing stays; of an entry, its place. */
const eraseFrom = (list: PeopleList, holder: Body, name: string, index: number, entry: Json): void => {
  if (list.of === 'texts') holder[name] = listAt(holder, name).filter((one) => one !== entry);
  else listAt(holder, name)[index] = erased;
};

export const placesNamed = (op: string, body: unknown): PeoplePlace[] => {
  const people = operationById(op)?.people;
  if (!people || !isJsonObject(body)) return [];
  return holdersIn(body, people.within).flatMap((holder, place) =>
    Object.entries(people.lists).flatMap(([name, list]) =>
      listAt(holder, name).flatMap((entry, index): PeoplePlace[] => {
        const named = namedBy(list, entry);
        if (named.length === 0) return [];
        return [
          {
            list: name,
            named,
            erase(own) {
              const held = holdersIn(own, people.within)[place];
              if (held) eraseFrom(list, held, name, index, entry);
            },
          },
        ];
      }),
    ),
  );
};

/** In all lists, or in these. */
export const peopleNamed = (op: string, body: unknown, only?: readonly string[]): Identifiers[] =>
  placesNamed(op, body).flatMap(({ list, named }) => (only?.includes(list) === false ? [] : named));
