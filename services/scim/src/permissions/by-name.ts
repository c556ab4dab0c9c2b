/** The things of a company by id and by name. Made once for each list: a company is read anew for each request. */
export interface Thing {
  id: string;
  name: string;
}

const indexBy = (member: keyof Thing) => {
  const known = new WeakMap<readonly object[], unknown>();
  return <Known extends { id: string }>(things: readonly Known[]): ReadonlyMap<string, Known> => {
    const index = known.get(things) ?? new Map(things.map((thing) => [Reflect.get(thing, member), thing]));
    known.set(things, index);
    return index as ReadonlyMap<string, Known>;
  };
};

export const byId = indexBy('id');
export const byName = indexBy('name');
