/** Reads a source in stretches: each is one statement, and the next one goes on behind the last row of the one before. */
import { createPager, type Pager } from './pager.ts';
import { type Found, type Place, toPlace } from './place.ts';
import type { Page, ReadOptions } from './source.ts';
import { tooManyAlike } from './source-error.ts';

/**
 * Finds the rows after a place, in order. When its caller stops, it frees what it holds. After `more`, which is its last word, there
 * may be more rows: its statement had a bound.
 */
export type Find = (
  since: Place | undefined,
  signal: AbortSignal,
) => AsyncIterable<readonly Found[] | 'more'>;

/** Inside of a group the next statement might read the same rows again. */
const mayBreak = (pager: Pager): boolean => pager.place()?.isOpen === false;

/** A group that fills a whole statement would be read for ever. */
const further = (since: Place | undefined, place: Place | undefined): Place => {
  if (place && JSON.stringify(place) !== JSON.stringify(since)) return place;
  throw tooManyAlike();
};

/** Its result is the place from which to go on; nothing at the end of the rows. */
async function* stretch(find: Find, since: Place | undefined, options: ReadOptions, stretchMs: number) {
  const pager = createPager(since, options);
  let began: number | undefined;
  for await (const chunk of find(since, options.signal)) {
    if (chunk === 'more') {
      yield* pager.cut();
      return further(since, pager.place());
    }
    began ??= performance.now();
    for (const found of chunk) {
      const page = pager.add(found);
      if (!page) continue;
      yield page;
      options.signal.throwIfAborted();
    }
    if (performance.now() - began > stretchMs && mayBreak(pager)) {
      yield* pager.soFar();
      return pager.place();
    }
  }
  yield* pager.rest();
  return undefined;
}

export async function* readPages(
  find: Find,
  options: ReadOptions,
  stretchMs: number,
): AsyncGenerator<Page, void, undefined> {
  let place = options.since && toPlace(options.since);
  do {
    options.signal.throwIfAborted();
    place = yield* stretch(find, place, options, stretchMs);
  } while (place);
}
