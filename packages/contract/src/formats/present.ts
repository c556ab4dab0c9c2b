/** The same list when nothing in it changes. */
export const mapSame = <Item>(list: Item[], change: (item: Item) => Item): Item[] => {
  const next = list.map(change);
  return next.every((item, place) => item === list[place]) ? list : next;
};

/** Without the members that are undefined. */
export const present = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
