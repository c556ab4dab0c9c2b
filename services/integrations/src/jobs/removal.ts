/** In diff mode: the people of rows that are no longer in the table. They are known after the whole table was read. */
import type { Json } from '@roster/contract';
import { type Entry, type Layout, readCursor, requestKinds, settingsOf } from '@roster/integrations';
import { type Cursor, SourceError } from '@roster/sources';
import type { IntegrationDocument, Store, SyncKeptDocument } from '@roster/store';
import { type MappedRow, shortened, start } from './collector.ts';
import { isRemoving } from './diff.ts';
import type { Flow } from './flow.ts';
import { countKept, isGone, type KeptCounts, keptDocument, rowsIn } from './kept.ts';
import { type Lease, LeaseLost } from './lease.ts';
import { hashOf } from './memory.ts';

/** So few may be gone, whatever their share is. */
const fewRows = 100;

const usualPercent = 50;

interface Removal {
  store: Pick<Store, 'syncs'>;
  lease: Pick<Lease, 'mine'>;
  integration: IntegrationDocument;
  layout: Layout;
  flow: Pick<Flow, 'put' | 'saved'>;
}

/** A table that was emptied by mistake must not remove everybody. */
const assertFew = (
  { rows, gone }: KeptCounts,
  { most_removed_percent: percent = usualPercent }: ReturnType<typeof settingsOf>,
): void => {
  if (gone <= fewRows || gone <= (rows * percent) / 100) return;
  throw new SourceError(
    'bad_settings',
    `${gone} of ${rows} rows are no longer in the table, which is more than ${percent} percent: nobody was removed. If this is right, set most_removed_percent to 100 and sync again`,
  );
};

const entryOf = ({ identifiers: [{ by }], members }: Layout, person: Json, isDelete: boolean): Entry => {
  if (isDelete || !('columns' in members)) return { [by]: person };
  const nulls = members.columns.map(([member]) => [member, null] as const);
  return { ...Object.fromEntries(nulls), [by]: person, _update_existing_only: true };
};

/** The first of the rows that are gone become a request; what is kept of the others stays. */
const removeSome = async (removal: Removal, to: Cursor, document: SyncKeptDocument): Promise<void> => {
  const { integration, layout, flow } = removal;
  const isDelete = settingsOf(integration).on_removed === 'delete';
  const data = isDelete ? ('deletes' as const) : integration.data;
  const all = rowsIn(document);
  const taken = new Set(all.filter(isGone).slice(0, requestKinds[data].most));
  const rows = [...taken].flatMap(({ key, person }): MappedRow[] => {
    if (person === undefined) return [];
    const seen = { hash: hashOf('removed', key), key: shortened(key), name: shortened(String(person)) };
    return [{ entry: entryOf(layout, person, isDelete), seen }];
  });
  const left = all.filter((row) => !taken.has(row));
  await flow.put({
    to,
    rows,
    by: layout.identifiers[0].by,
    bad: [],
    removal: data,
    kept: {
      remove: left.length === 0 ? [document._id] : [],
      put: left.length === 0 ? [] : [keptDocument(integration, document._id, left, document.layout)],
      gone: [],
    },
  });
  // Else the next look would find the same rows.
  await flow.saved();
};

/** Says why rows that are gone stay, if they do. What is not removed yet is found again by the process that takes the job over. */
export const removeGone = async (removal: Removal): Promise<string | undefined> => {
  const { store, lease, integration } = removal;
  if (!isRemoving(integration)) return undefined;
  const job = await store.syncs.jobs.findOne(lease.mine, { projection: { cursor: 1, unread: 1 } });
  if (!job) throw new LeaseLost();
  if (job.unread)
    return 'some rows have no key that can be read: nobody was removed, as a missing row may be one of them';
  const to = readCursor(job.cursor) ?? start;
  const counts = await countKept(store, integration);
  assertFew(counts, settingsOf(integration));
  for (;;) {
    const found = await store.syncs.kept.findOne(
      { integration: integration._id, gone: { $gt: 0 } },
      { promoteBuffers: true },
    );
    if (!found) return undefined;
    await removeSome(removal, to, found);
  }
};
