/** Stored messages: without credentials nothing leaves. The interface counts them as sent; operators see them apart. */
import type { DeliveryDocument, SendDocument } from '../models/messages.ts';

/** Apps read content cards where they are stored: these have arrived. */
const stored = {
  channel: { $ne: 'content_card' as const },
  $or: [{ stored: true as const }, { outbox: { $exists: true } }],
};

export type ShownState = SendDocument['state'] | 'stored';

/** The rows that are shown in this state. */
export const shownAs = (state: ShownState) => {
  if (state === 'stored') return { state: 'sent' as const, ...stored };
  return state === 'sent' ? { state, $nor: [stored] } : { state };
};

export const shownState = ({
  state,
  channel,
  stored: isStored,
  outbox,
}: Pick<SendDocument, 'state' | 'channel' | 'stored' | 'outbox'>): ShownState =>
  state === 'sent' && channel !== 'content_card' && (isStored || outbox !== undefined) ? 'stored' : state;

export const shownCounts = ({
  counts,
  kept = 0,
}: Pick<DeliveryDocument, 'counts' | 'kept'>): Record<ShownState, number> => ({
  ...counts,
  sent: counts.sent - kept,
  stored: kept,
});
