/** Events and purchases in their stored form: one document for each, without clock and random numbers. */
import { type EventEntry, type PurchaseEntry, stringifyExact } from '@roster/contract';
import { type Item, type Placed, revenueOf } from '@roster/profile';
import { decimal, type EventRow, type PurchaseRow, type Sent } from '@roster/store';
import { type Occurrence, timeOf } from './happened-at.ts';
import type { TrackSettings } from './settings-in.ts';

export type RowSettings = Pick<TrackSettings, 'keepProperties' | 'rates'>;

const occurrence = (
  { origin, index, entry }: Item<Occurrence>,
  profile: string,
  request: string,
  settings: RowSettings,
) => {
  const { app_id, properties } = entry;
  const row: Omit<Sent<EventRow>, 'name'> = {
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
): Sent<EventRow> => {
  const row = occurrence(item, profile, request, settings) as Sent<EventRow>;
  row.name = item.entry.name;
  return row;
};

export const purchaseRow = (
  { item, profile }: Placed<PurchaseEntry>,
  request: string,
  settings: RowSettings,
): Sent<PurchaseRow> => {
  const { product_id, currency, price, quantity = 1 } = item.entry;
  const row: Sent<PurchaseRow> = {
    ...occurrence(item, profile, request, settings),
    product_id,
    currency,
    price,
    quantity,
  };
  const rate = settings.rates.get(currency);
  const revenue = rate === undefined ? undefined : revenueOf(price, quantity, rate);
  if (revenue !== undefined) row.revenue = decimal(revenue);
  return row;
};
