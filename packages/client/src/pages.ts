/** One page after the other, for as long as they are asked for. */
import type { Query } from './address.ts';
import type { Paging } from './table.ts';

type Page = Record<string, unknown>;

const lengthOf = (page: Page, list: string): number => {
  const items = page[list];
  return Array.isArray(items) ? items.length : 0;
};

/** What the next page is asked for with; nothing when this is the last one. */
const nextOf = (paging: Paging, query: Query, page: Page): Query | undefined => {
  if ('cursor' in paging) {
    const cursor = page[paging.cursor];
    return typeof cursor === 'string' ? { ...query, cursor } : undefined;
  }
  const list = 'offset' in paging ? paging.offset : paging.start;
  const length = lengthOf(page, list);
  if (length === 0) return undefined;
  if ('offset' in paging) {
    const isShort = query.limit !== undefined && length < Number(query.limit);
    return isShort ? undefined : { ...query, offset: Number(query.offset ?? 0) + length };
  }
  const start = Number(query.startIndex ?? 1) + length;
  return start > Number(page.totalResults ?? 0) ? undefined : { ...query, startIndex: String(start) };
};

export async function* pagesOf(
  paging: Paging,
  ask: (query: Query) => Promise<object>,
  query: Query = {},
): AsyncGenerator<object, void, undefined> {
  for (let asked: Query | undefined = query; asked; ) {
    const page = await ask(asked);
    yield page;
    asked = nextOf(paging, asked, { ...page });
  }
}
