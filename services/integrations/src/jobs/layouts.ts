/** How columns were mapped when rows were read: a new column, or another mapping, is no change of a row. */
import { type DataKind, stringifyExact } from '@roster/contract';
import { columnsOf, entryOf, type Layout, type Mapped } from '@roster/integrations';
import type { PageRow } from '@roster/sources';
import type { IntegrationDocument, Store } from '@roster/store';
import type { Lease } from './lease.ts';
import { type HashUnder, hashOf } from './memory.ts';

/** Of an integration. Rows that were mapped in an earlier way are known by their keys and times alone. */
const most = 4;

type Named = readonly [name: string, layout: Layout];

export const mappedBy = (layout: Layout, data: DataKind, { row, problem }: PageRow): Mapped =>
  row ? entryOf(layout, data, row) : { problem };

/** What a row says: its entry, or what is wrong with it. */
export const contentOf = ({ entry, problem }: Mapped, found: PageRow): string =>
  stringifyExact(entry ?? [problem, found.row ?? found.id]);

export const tieOf = ({ tie }: Layout, found: PageRow): string =>
  String(found.row ? found.row[tie] : found.id);

const isWhole = (layout: Layout, columns: readonly string[] | undefined): boolean => {
  const needed = columnsOf(layout);
  return !columns || !needed || needed.every((name) => columns.includes(name));
};

/** Those of before, and this one, which is saved. */
export const openLayouts = async (
  { syncs }: Pick<Store, 'syncs'>,
  { job }: Pick<Lease, 'job'>,
  { _id, layouts = '[]', data }: Pick<IntegrationDocument, '_id' | 'layouts' | 'data'>,
  { layout, columns }: { layout: Layout; columns: readonly string[] | undefined },
) => {
  const name = hashOf(JSON.stringify(layout)).toString('base64url');
  const before: Named[] = JSON.parse(layouts);
  const named = [...before.filter(([other]) => other !== name), [name, layout] as const].slice(-most);
  if (before.at(-1)?.[0] !== name)
    await syncs.integrations.updateOne({ _id, job: job._id }, { $set: { layouts: JSON.stringify(named) } });
  const readable = new Map(named.filter(([, one]) => isWhole(one, columns)));
  return {
    name,
    isReadable: (other: string): boolean => readable.has(other),
    hashUnder(found: PageRow): HashUnder {
      return (other) => {
        const then = readable.get(other);
        return (
          then &&
          hashOf(found.cursor.updatedAt, tieOf(layout, found), contentOf(mappedBy(then, data, found), found))
        );
      };
    },
  };
};

export type Layouts = Awaited<ReturnType<typeof openLayouts>>;
