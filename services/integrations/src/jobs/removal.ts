/** In diff mode: what becomes of rows that are no longer in the table, and of their people. They are known after the whole table was read. */
import type { Json } from '@roster/contract';
import { type Entry, type Layout, readCursor, requestKinds, settingsOf } from '@roster/integrations';
import { type Cursor, SourceError } from '@roster/sources';
import type { IntegrationDocument, Store, SyncKeptDocument } from '@roster/store';
import { type MappedRow, shortened, start } from './collector.ts';
import type { Flow } from './flow.ts';
import { areFew, countsOnce, daysRemembered, isRemoving, mostPercent } from './gone.ts';
import { countKept, isGone, type KeptCounts, keptDocument, rowsIn } from './kept.ts';
import { type Lease, LeaseLost } from './lease.ts';
import { hashOf } from './memory.ts';

/** Documents that are written together. */
const atOnce = 50;

interface Removal {
  store: Pick<Store, 'syncs'>;
  lease: Pick<Lease, 'mine'>;
  integration: IntegrationDocument;
  layout: Layout;
  flow: Pick<Flow, 'put' | 'saved'>;
  /** Rows that were found gone by this job. */
  found: number;
}

const goneText = ({ rows, gone }: KeptCounts): string => `${gone} of ${rows} rows are no longer in the table`;

/** A table that was emptied by mistake must not remove everybody. */
const assertFew = (counts: KeptCounts, percent: number): void => {
  if (areFew(counts, percent)) return;
  throw new SourceError(
    'bad_settings',
    `${goneText(counts)}, which is more than ${percent} percent: nobody was removed. If this is right, set most_removed_percent to 100 and sync again`,
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
      put: left.length === 0 ? [] : [keptDocument(integration, document._id, left)],
      gone: [],
    },
  });
  // Else the next look would find the same rows.
  await flow.saved();
};

/** They are few, so they are new when they come back. */
const forgetGone = async ({ store, integration, flow }: Removal, to: Cursor): Promise<void> => {
  for (;;) {
    const documents = await store.syncs.kept
      .find({ integration: integration._id, gone: { $gt: 0 } }, { limit: atOnce, promoteBuffers: true })
      .toArray();
    if (documents.length === 0) return;
    const put = documents.flatMap((document) => {
      const left = rowsIn(document).filter((row) => !isGone(row));
      return left.length === 0 ? [] : [keptDocument(integration, document._id, left)];
    });
    const written = new Set(put.map(({ _id }) => _id));
    const remove = documents.map(({ _id }) => _id).filter((_id) => !written.has(_id));
    await flow.put({ to, rows: [], by: undefined, bad: [], kept: { remove, put, gone: [] } });
    await flow.saved();
  }
};

/** Nobody is removed for rows that are gone. Says it when there are many: they stay known, as the table may be filled again. */
const rememberGone = async (removal: Removal, to: Cursor): Promise<string | undefined> => {
  const { store, integration, found } = removal;
  const counts = await countKept(store, integration);
  const percent = mostPercent(integration);
  const isOnce = countsOnce(integration);
  if (!isOnce && areFew(counts, percent)) await forgetGone(removal, to);
  if (areFew(isOnce ? { ...counts, gone: found } : counts, percent)) return undefined;
  return `${goneText(counts)}: those that come back within ${daysRemembered} days and have not changed are not sent again`;
};

/** Says why rows that are gone stay, if they do. What is not removed yet is found again by the process that takes the job over. */
export const removeGone = async (removal: Removal): Promise<string | undefined> => {
  const { store, lease, integration } = removal;
  const job = await store.syncs.jobs.findOne(lease.mine, { projection: { cursor: 1, unread: 1 } });
  if (!job) throw new LeaseLost();
  const to = readCursor(job.cursor) ?? start;
  if (!isRemoving(integration)) return rememberGone(removal, to);
  if (job.unread)
    return 'some rows have no key that can be read: nobody was removed, as a missing row may be one of them';
  assertFew(await countKept(store, integration), mostPercent(integration));
  for (;;) {
    const found = await store.syncs.kept.findOne(
      { integration: integration._id, gone: { $gt: 0 } },
      { promoteBuffers: true },
    );
    if (!found) return undefined;
    await removeSome(removal, to, found);
  }
};
