/**
 * Several requests are on their way at once, and their order of arrival decides. So a
 * batch about a person waits for a batch about the same person: then the later row wins, as in the file.
 */
import type { Item } from './batch-ends.ts';
import type { Batch, NameItem } from './batches.ts';

/** The identifiers of an entry or a further name. A contact counts too: it may lead to the same person. */
const namesOf = ({ value }: Pick<Item, 'value'>): string[] => {
  const { external_id, user_alias, service_id, email, phone } = value;
  const named = { external_id, user_alias, service_id, email, phone };
  return Object.entries(named)
    .filter(([, name]) => name != null)
    .map(([kind, name]) => `${kind} ${JSON.stringify(name).toLowerCase()}`);
};

/** Events and purchases may come in any order; an attribute has to keep its place. */
interface Named {
  name: string;
  isAttribute: boolean;
}

/** The further names themselves: other entries may use them. */
const inThemselves = ({ kind, value }: NameItem): Pick<Item, 'value'>[] => {
  const { alias_name = null, alias_label = null, former_external_ids } = value;
  if (kind === 'alias') return [{ value: { user_alias: { alias_name, alias_label } } }];
  return [former_external_ids ?? []].flat().map((external_id) => ({ value: { external_id } }));
};

const peopleIn = ({ items, names }: Batch): Named[] => {
  const named = names.flatMap((name) => [name, ...inThemselves(name)]);
  return [
    ...items.map((item) => ({ ...item, isAttribute: item.array === 'attributes' })),
    ...named.map((name) => ({ ...name, isAttribute: true })),
  ].flatMap(({ isAttribute, value }) => namesOf({ value }).map((name) => ({ name, isAttribute })));
};

export const createPeopleOrder = () => {
  const underWay = new Map<number, Map<string, boolean>>();
  return {
    mayGo: (batch: Batch): boolean =>
      peopleIn(batch).every(({ name, isAttribute }) =>
        [...underWay.values()].every((names) => {
          const other = names.get(name);
          return other === undefined || !(other || isAttribute);
        }),
      ),
    begin(batch: Batch): void {
      const names = new Map<string, boolean>();
      for (const { name, isAttribute } of peopleIn(batch))
        names.set(name, isAttribute || (names.get(name) ?? false));
      underWay.set(batch.index, names);
    },
    end: ({ index }: Batch) => void underWay.delete(index),
  };
};
