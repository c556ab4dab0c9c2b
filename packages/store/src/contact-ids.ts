import { digestOf } from './tombstone-documents.ts';

/** The ids under which statements about a contact may stand: its key, and the digest of the key. */
export const createIds = (secret: string | undefined) => {
  const hiddenId = (key: string): string | undefined =>
    secret === undefined ? undefined : `#${digestOf(secret, key)}`;
  return {
    hiddenId,
    /** Each id with its contact key. */
    idsOf(keys: Iterable<string>): Map<string, string> {
      const ids = new Map<string, string>();
      for (const key of keys) {
        ids.set(key, key);
        const hidden = hiddenId(key);
        if (hidden !== undefined) ids.set(hidden, key);
      }
      return ids;
    },
  };
};
