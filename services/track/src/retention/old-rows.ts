/** Walks the generations that may hold old occurrences, in the order of their keys, and removes what is old. */
import type {
  EventRow,
  GenerationDocument,
  OccurrenceKind,
  PurchaseRow,
  Session,
  Store,
} from '@roster/store';
import type { Edges } from './windows.ts';

/** An occurrence as retention sees it. */
export interface SeenRow {
  _id: Buffer;
  ws: string;
  profile: string;
  time: Date;
  /** Of the event, or the id of the product. */
  name: string;
  revenue?: PurchaseRow['revenue'];
  /** Of a purchase: it counts this many times. */
  quantity?: number;
}

/** The rows after one key, up to another one. */
export interface Range {
  generation: string;
  after: Buffer;
  upTo?: Buffer | undefined;
  most: number;
}

type OldRow = (EventRow | PurchaseRow) & { _id: Buffer };

const seen = (row: OldRow): SeenRow => ('name' in row ? row : { ...row, name: row.product_id });

export const createOldRows = (store: Pick<Store, OccurrenceKind>, kind: OccurrenceKind) => ({
  /** From the oldest to the newest. */
  generations: (): Promise<GenerationDocument[]> => store[kind].generations.all(),

  async read({ generation, ...range }: Range, session?: Session): Promise<SeenRow[]> {
    const rows: OldRow[] = await store[kind].slice(generation, range, { ...(session && { session }) });
    return rows.map(seen);
  },

  /** Returns their number. */
  remove: (session: Session, generation: string, rows: readonly SeenRow[]): Promise<number> =>
    store[kind].removeIn(
      generation,
      rows.map(({ _id }) => _id),
      session,
    ),

  foundEmpty: (generation: GenerationDocument): Promise<boolean> =>
    store[kind].generations.foundEmpty(generation),
});

export type OldRows = ReturnType<typeof createOldRows>;

/** Whether all rows of a generation are younger than every edge. */
export const isYoung = ({ oldest }: GenerationDocument, { latest }: Edges): boolean =>
  oldest === undefined || oldest >= latest;
