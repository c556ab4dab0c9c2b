/** The people who have an email, phone or push token: the identity keys that find them, and when they had a contact. */
/** Service ids of people by the identity keys that they share. */
export const createHolders = () => {
  const holders = new Map<string, Set<string>>();

  return {
    add(id: string, keys: readonly string[]): void {
      for (const key of keys) {
        const ids = holders.get(key);
        if (ids) ids.add(id);
        else holders.set(key, new Set([id]));
      }
    },

    remove(id: string, keys: readonly string[]): void {
      for (const key of keys) holders.get(key)?.delete(id);
    },

    of: (key: string): ReadonlySet<string> | undefined => holders.get(key),
  };
};
