import type { Db } from '../../db.ts';
import type { Kind } from '../../documents.ts';
import type { MayGoOn, Reading } from '../reading.ts';
import { earlierRows } from './row.ts';

const rowsAtOnce = 1000;

/** Removes all of them, in small steps. */
export const removeEarlier = async (
  db: Db,
  of: Kind,
  { profiles, mayGoOn, reading }: { profiles: readonly string[]; mayGoOn: MayGoOn; reading: Reading },
): Promise<void> => {
  const rows = earlierRows(db, of);
  for (;;) {
    await mayGoOn();
    const theirs = { profile: { $in: [...profiles] } };
    const how = { ...reading, projection: { _id: 1 }, limit: rowsAtOnce } as const;
    const some = await rows.find(theirs, how).toArray();
    if (some.length === 0) return;
    await rows.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
  }
};
