/** A value that several people may have; with `contacts.v` an email or phone that they had. */
export interface HolderLookup {
  ws: string;
  by: 'email_key' | 'phone_key' | 'token_keys' | 'contacts.v';
  value: string;
}

/** A person who left a contact after a stamp has a change of contacts after it. */
const also = (by: HolderLookup['by'], since: number): object =>
  by === 'contacts.v' ? { contacts_at: { $gt: since } } : {};

export interface HolderOptions {
  /** The stamp of the oldest request: people who left an email or phone before it are not read. */
  since: number;
  /** The members that are read. */
  projection: Readonly<Record<string, 1>>;
  /** Stages that choose at most `most` people out of very many. */
  foremost(most: number): object[];
}

/** One branch for each workspace and kind. */
export const filterOf = (all: readonly HolderLookup[], since: number): object => {
  const branches = new Map<string, { ws: string; by: HolderLookup['by']; values: string[] }>();
  for (const { ws, by, value } of all) {
    const branch = branches.get(`${by} ${ws}`);
    if (branch) branch.values.push(value);
    else branches.set(`${by} ${ws}`, { ws, by, values: [value] });
  }
  const filters = [...branches.values()].map(({ ws, by, values }) => ({
    ws,
    [by]: { $in: values },
    ...also(by, since),
  }));
  return filters.length === 1 ? (filters[0] ?? {}) : { $or: filters };
};
