/**
 * Several requests are on their way at once, and which of them counts as earlier is decided at their arrival. So a
 * batch about a person for whom another one is under way waits for it: then the later row wins, as in the file.
 */
import type { Batch, Item } from './batches.ts';

/** Whom an entry names; an address counts too, for it may lead to the same person. */
const namesOf = ({ value }: Item): string[] => {
  const { external_id, user_alias, service_id, email, phone } = value;
  const named = { external_id, user_alias, service_id, email, phone };
  return Object.entries(named)
    .filter(([, name]) => name != null)
    .map(([kind, name]) => `${kind} ${JSON.stringify(name).toLowerCase()}`);
};

/** Events and purchases stand beside each other in any order; an attribute stands in the way of everything. */
interface Named {
  name: string;
  isAttribute: boolean;
}

const peopleIn = ({ items }: Batch): Named[] =>
  items.flatMap((item) => {
    const isAttribute = item.array === 'attributes';
    return namesOf(item).map((name) => ({ name, isAttribute }));
  });

export interface PeopleOrder {
  mayGo(batch: Batch): boolean;
  begin(batch: Batch): void;
  end(batch: Batch): void;
}

export const createPeopleOrder = (): PeopleOrder => {
  const underWay = new Map<number, Map<string, boolean>>();
  return {
    mayGo: (batch) =>
      peopleIn(batch).every(({ name, isAttribute }) =>
        [...underWay.values()].every((names) => {
          const other = names.get(name);
          return other === undefined || !(other || isAttribute);
        }),
      ),
    begin(batch) {
      const names = new Map<string, boolean>();
      for (const { name, isAttribute } of peopleIn(batch))
        names.set(name, isAttribute || (names.get(name) ?? false));
      underWay.set(batch.index, names);
    },
    end: ({ index }) => void underWay.delete(index),
  };
};
