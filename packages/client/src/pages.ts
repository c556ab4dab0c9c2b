/** A call that answers in pages: its promise is the first page, and `for await` goes through the rows of all. */
import { headersOf } from './about.ts';
import type { Query } from './address.ts';
import type { Paging } from './table.ts';

type Page = Record<string, unknown>;

const rowsOf = (page: Page, list: string): readonly unknown[] => {
  const rows = page[list];
  return Array.isArray(rows) ? rows : [];
};

/** `Link: </cdi/integrations?cursor=x>; rel="next"`, or a member of the page. */
const cursorAfter = (page: Page): unknown => {
  const link = /\?([^>]*)>;\s*rel="?next/.exec(headersOf(page)?.get('link') ?? '')?.[1];
  return link === undefined ? (page.next_cursor ?? page.cursor) : new URLSearchParams(link).get('cursor');
};

/** What the next page is asked for with; nothing when this is the last one. */
const queryAfter = ({ list, by }: Paging, query: Query, page: Page): Query | undefined => {
  if (by === 'cursor') {
    const cursor = cursorAfter(page);
    return typeof cursor === 'string' && cursor !== query.cursor ? { ...query, cursor } : undefined;
  }
  const { length } = rowsOf(page, list);
  if (length === 0) return undefined;
  if (by === 'offset') {
    const isShort = query.limit !== undefined && length < Number(query.limit);
    return isShort ? undefined : { ...query, offset: Number(query.offset ?? 0) + length };
  }
  const start = Number(query.startIndex ?? 1) + length;
  return start > Number(page.totalResults ?? 0) ? undefined : { ...query, startIndex: String(start) };
};

export type Paged = Promise<object> & AsyncIterable<unknown>;

export const withRows = (
  first: Promise<object>,
  { paging, query, ask }: { paging: Paging; query: Query; ask(query: Query): Promise<object> },
): Paged =>
  Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let asked = query;
      for (let page = (await first) as Page; ; page = (await ask(asked)) as Page) {
        yield* rowsOf(page, paging.list);
        const next = queryAfter(paging, asked, page);
        if (!next) return;
        asked = next;
      }
    },
  });
