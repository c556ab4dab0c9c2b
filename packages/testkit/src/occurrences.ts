/** Events and purchases as the track workers write them. */
import type { EventRow, PurchaseRow, WithRequest } from '@roster/store';

let made = 0;

const occurrence = (profile: string) => ({
  request: `r${made++}`,
  index: 0,
  ws: 'demo',
  profile,
  at: 1,
  time: new Date(0),
});

export const anEvent = (profile: string, more: Partial<EventRow> = {}): WithRequest<EventRow> => ({
  ...occurrence(profile),
  name: 'seen',
  ...more,
});

export const aPurchase = (profile: string, more: Partial<PurchaseRow> = {}): WithRequest<PurchaseRow> => ({
  ...occurrence(profile),
  product_id: 'tea',
  currency: 'EUR',
  price: 1,
  quantity: 1,
  ...more,
});
