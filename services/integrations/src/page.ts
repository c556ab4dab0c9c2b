/** Pages of a list, 10 at a time. A cursor names the place of a document, so that pages stay right while others are added. */
import type { ReadResult } from '@roster/batch';
import { type AcceptedRequest, type QueryFor, Rejection } from '@roster/contract';

const onPage = 10;

/** The places of the documents: numbers that are unique in a list and never change. */
interface PagePlace {
  way: 'after' | 'before';
  at: number;
}

const written = ({ way, at }: PagePlace): string => Buffer.from(`${way}:${at}`).toString('base64url');

const readPlace = ({ query }: AcceptedRequest): PagePlace | undefined => {
  const { cursor } = (query ?? {}) as QueryFor<'cdi.integration_list'>;
  if (cursor === undefined) return undefined;
  const [, way, at] = /^(after|before):(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at === undefined || (way !== 'after' && way !== 'before'))
    throw new Rejection('INTEGRATION_CURSOR_INVALID');
  return { way, at: Number(at) };
};

interface Span {
  /** Places greater, or smaller, than this one. */
  range?: { $gt: number } | { $lt: number };
  sort: 1 | -1;
  limit: number;
}

interface PagedList<Document> {
  path: string;
  request: AcceptedRequest;
  /** Of the list, from its first page on. */
  order: 1 | -1;
  placeOf(document: Document): number;
  find(span: Span): Promise<Document[]>;
  show(document: Document): object;
}

const linkTo = (path: string, rel: 'prev' | 'next', place: PagePlace): string =>
  `<${path}?cursor=${written(place)}>; rel="${rel}"`;

/** One more is looked for, which tells whether there is another page. */
export const readPage = async <Document>(list: PagedList<Document>): Promise<ReadResult> => {
  const { path, request, order, placeOf, find, show } = list;
  const place = readPlace(request);
  const backwards = place?.way === 'before';
  const sort = backwards ? (-order as 1 | -1) : order;
  const range = place && (sort === 1 ? { $gt: place.at } : { $lt: place.at });
  const found = await find({ ...(range && { range }), sort, limit: onPage + 1 });
  const isMore = found.length > onPage;
  const shown = backwards ? found.slice(0, onPage).toReversed() : found.slice(0, onPage);
  const [first, last] = [shown.at(0), shown.at(-1)];
  const hasPrev = place !== undefined && (backwards ? isMore : true);
  const hasNext = backwards || isMore;
  const links = [
    ...(hasPrev && first ? [linkTo(path, 'prev', { way: 'before', at: placeOf(first) })] : []),
    ...(hasNext && last ? [linkTo(path, 'next', { way: 'after', at: placeOf(last) })] : []),
  ];
  return { body: { results: shown.map(show), message: 'success' }, link: links.join(',') || undefined };
};
