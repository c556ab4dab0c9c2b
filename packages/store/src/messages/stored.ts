/** How recipients and their counts are shown. Without credentials messages are stored: the interface counts them as sent, operators see them apart. */
import type { DeliveryDocument, SendDocument } from '../models/messages.ts';
import { listedIn } from './erasure.ts';

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

type Counted = Pick<DeliveryDocument, 'ws' | 'recipients' | 'counts' | 'ended'>;

/** Listed names that were not looked up yet wait, too: the counts add up to the list at any time. */
export const countsSoFar = ({ ws, recipients, counts, ended }: Counted): DeliveryDocument['counts'] => {
  if (ended) return counts;
  const known = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const more = listedIn(ws, JSON.parse(recipients)).length - known;
  return more > 0 ? { ...counts, waiting: counts.waiting + more } : counts;
};

export const shownCounts = ({
  kept = 0,
  ...delivery
}: Counted & Pick<DeliveryDocument, 'kept'>): Record<ShownState, number> => {
  const counts = countsSoFar(delivery);
  return { ...counts, sent: counts.sent - kept, stored: kept };
};

type Explained = Pick<SendDocument, 'state' | 'reason' | 'due' | 'tries'>;

/** Why it is in its state; while it waits also until when, and how often it was tried. */
export const shownReason = ({ state, reason, due, tries }: Explained): string | undefined => {
  if (state !== 'waiting' || !due) return reason;
  const when = due.toISOString();
  if (reason === 'planned') return `planned for ${when}`;
  if (reason === 'quiet_hours') return `quiet hours until ${when}`;
  const tried = tries > 0 ? [`tried ${tries === 1 ? 'once' : `${tries} times`}`] : [];
  return [...(reason === undefined ? [] : [reason]), ...tried, `next try at ${when}`].join('; ');
};
