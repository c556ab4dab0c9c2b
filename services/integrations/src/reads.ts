/** Integrations, their jobs, and the rows that failed. */

import type { ReadResult } from '@roster/batch';
import { type AcceptedRequest, type QueryFor, Rejection } from '@roster/contract';
import { isId, nextRun, readCursor } from '@roster/integrations';
import type { IntegrationDocument, Store, SyncJobDocument, SyncRowDocument } from '@roster/store';
import type { Show } from './handler.ts';

/** Documents. A cursor names the place of one of them, so that pages stay right while others are added. */
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

/** Places greater, or smaller, than one. */
type Range = { $gt: number } | { $lt: number } | undefined;

interface PagedList<Document> {
  path: string;
  request: AcceptedRequest;
  /** Of the list, from its first page on. */
  order: 1 | -1;
  placeOf(document: Document): number;
  find(range: Range, sort: 1 | -1): { limit(most: number): { toArray(): Promise<Document[]> } };
  show(document: Document): object;
}

const linkTo = (path: string, rel: 'prev' | 'next', place: PagePlace): string =>
  `<${path}?cursor=${written(place)}>; rel="${rel}"`;

const readPage = async <Document>(list: PagedList<Document>): Promise<ReadResult> => {
  const { path, request, order, placeOf, find, show } = list;
  const place = readPlace(request);
  const backwards = place?.way === 'before';
  const sort = backwards ? (-order as 1 | -1) : order;
  const range = place && (sort === 1 ? { $gt: place.at } : { $lt: place.at });
  // One more than a page has tells whether there is another page.
  const found = await find(range, sort)
    .limit(onPage + 1)
    .toArray();
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

export const integrationIn = ({ params }: AcceptedRequest): string => {
  const id = params?.integration_id ?? '';
  if (!isId(id)) throw new Rejection('INTEGRATION_ID_INVALID');
  return id;
};

const shownIntegration = (
  { _id, ws, name, data, state, paused, contacts, warehouse, ...document }: IntegrationDocument,
  now: Date,
) => {
  const { schedule, cursor, last_began, last_state } = document;
  return {
    integration_id: _id,
    app_group_id: ws,
    integration_name: name,
    integration_type: data,
    integration_status: paused ? ('paused' as const) : state,
    contact_emails: contacts,
    last_updated_at: readCursor(cursor)?.updatedAt ?? null,
    warehouse_type: warehouse,
    last_job_start_time: last_began?.toISOString() ?? null,
    last_job_status: last_state ?? null,
    next_scheduled_run: schedule && !paused ? nextRun(schedule, now).toISOString() : null,
  };
};

export const listIntegrations: Show = async (request, { store: { syncs } }) => {
  const { ws } = request;
  const now = new Date();
  return readPage<IntegrationDocument>({
    path: '/cdi/integrations',
    request,
    order: 1,
    placeOf: ({ created }) => created,
    find: (range, sort) =>
      syncs.integrations.find({ ws, ...(range && { created: range }) }, { sort: { created: sort } }),
    show: (one) => shownIntegration(one, now),
  });
};

export const readIntegration: Show = async (request, { store: { syncs } }) => {
  const found = await syncs.integrations.findOne({ _id: integrationIn(request), ws: request.ws });
  if (!found) throw new Rejection('INTEGRATION_UNKNOWN');
  const settings = JSON.parse(found.settings);
  return { body: { ...shownIntegration(found, new Date()), settings, message: 'success' } };
};

/** Where jobs are asked for, the interface has one sentence for ids that are malformed and for those that are unknown. */
const assertKnown = async ({ syncs }: Pick<Store, 'syncs'>, request: AcceptedRequest): Promise<string> => {
  const _id = integrationIn(request);
  const found = await syncs.integrations.findOne({ _id, ws: request.ws }, { projection: { _id: 1 } });
  if (!found) throw new Rejection('INTEGRATION_ID_INVALID');
  return _id;
};

const shownJob = ({ _id, state, began, ended, last, synced, failed, ...more }: SyncJobDocument) => ({
  job_id: _id,
  job_status: state,
  sync_start_time: began.toISOString(),
  sync_finish_time: ended?.toISOString() ?? null,
  last_timestamp_synced: last ?? null,
  rows_synced: synced,
  rows_failed_with_errors: failed,
  ...(more.expected !== undefined && { rows_expected: more.expected }),
  ...(more.timeless !== undefined && { rows_without_time: more.timeless }),
  ...(more.uncounted && { rows_without_time: null }),
  ...(more.late !== undefined && { rows_late: more.late }),
  ...(more.reason !== undefined && { reason: more.reason }),
  ...(more.log_error !== undefined && { log_error: more.log_error }),
});

export const listJobs: Show = async (request, { store }) => {
  const integration = await assertKnown(store, request);
  return readPage<SyncJobDocument>({
    path: `/cdi/integrations/${integration}/job_sync_status`,
    request,
    order: -1,
    placeOf: ({ n }) => n,
    find: (range, sort) =>
      store.syncs.jobs.find({ integration, ...(range && { n: range }) }, { sort: { n: sort } }),
    show: shownJob,
  });
};

/** Numbers with leading zeros: texts in their order. */
const digits = 10;

export const rowId = (job: string, n: number): string => `${job}/${String(n).padStart(digits, '0')}`;

const numberOf = ({ _id }: Pick<SyncRowDocument, '_id'>): number => Number(_id.slice(-digits));

const idRange = (job: string, range: Range) => {
  const [first, last] = [`${job}/`, `${job}0`];
  if (!range) return { $gt: first, $lt: last };
  return '$gt' in range
    ? { $gt: rowId(job, range.$gt), $lt: last }
    : { $gt: first, $lt: rowId(job, range.$lt) };
};

const shownRow = ({ reason, updated_at, row, request }: SyncRowDocument) => ({
  reason,
  updated_at: updated_at ?? null,
  row,
  ...(request !== undefined && { request_id: request }),
});

export const listRows: Show = async (request, { store }) => {
  const integration = await assertKnown(store, request);
  const job = request.params?.job_id ?? '';
  const known = await store.syncs.jobs.findOne({ _id: job, integration }, { projection: { _id: 1 } });
  if (!known) throw new Rejection('SYNC_JOB_UNKNOWN');
  return readPage<SyncRowDocument>({
    path: `/cdi/integrations/${integration}/jobs/${job}/rows`,
    request,
    order: 1,
    placeOf: numberOf,
    find: (range, sort) => store.syncs.rows.find({ _id: idRange(job, range) }, { sort: { _id: sort } }),
    show: shownRow,
  });
};
