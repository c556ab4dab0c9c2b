/** The items by a key, those of one key in the order in which they came. */
export const grouped = <Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

export const addTo = <Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void => {
  const values = sets.get(key);
  if (values) values.add(value);
  else sets.set(key, new Set([value]));
};
