/** Events and purchases in their stored form: one document for each, without clock and random numbers. */
import { type EventEntry, type PurchaseEntry, parseTime, stringifyExact } from '@roster/contract';
import { type Item, type Placed, revenueOf } from '@roster/profile';
import { decimal, type EventRow, type PurchaseRow, type WithRequest } from '@roster/store';
import type { TrackSettings } from './settings.ts';

type OccurrenceEntry = EventEntry | PurchaseEntry;

/** A time in the future becomes the time of acceptance. */
const timeOf = ({ time }: OccurrenceEntry, at: number): number => {
  const accepted = Math.floor(at / 1000);
  return Math.min(parseTime(time) ?? accepted, accepted);
};

/** In stamps, to compare with changes. */
export const happenedAt = (entry: OccurrenceEntry, at: number): number => timeOf(entry, at) * 1000;

export type RowSettings = Pick<TrackSettings, 'keepProperties' | 'rates'>;

/** What a row of its kind has besides is assigned to it: to spread this one costs an event 1 us, 5 % of its worker. */
const occurrence = (
  { origin, index, entry }: Item<OccurrenceEntry>,
  profile: string,
  request: string,
  settings: RowSettings,
) => {
  const { app_id, properties } = entry;
  const row: Omit<WithRequest<EventRow>, 'name'> = {
    request,
    index,
    ws: origin.ws,
    profile,
    time: new Date(timeOf(entry, origin.at)),
    at: origin.at,
  };
  if (app_id != null) row.app_id = app_id;
  if (properties != null && settings.keepProperties) row.properties = stringifyExact(properties);
  return row;
};

export const eventRow = (
  { item, profile }: Placed<EventEntry>,
  request: string,
  settings: RowSettings,
): WithRequest<EventRow> =>
  Object.assign(occurrence(item, profile, request, settings), { name: item.entry.name });

export const purchaseRow = (
  { item, profile }: Placed<PurchaseEntry>,
  request: string,
  settings: RowSettings,
): WithRequest<PurchaseRow> => {
  const { product_id, currency, price, quantity = 1 } = item.entry;
  const own = { product_id, currency, price, quantity };
  const row: WithRequest<PurchaseRow> = Object.assign(occurrence(item, profile, request, settings), own);
  const rate = settings.rates.get(currency);
  const revenue = rate === undefined ? undefined : revenueOf(price, quantity, rate);
  if (revenue !== undefined) row.revenue = decimal(revenue);
  return row;
};
