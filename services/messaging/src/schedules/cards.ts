/** GET /content_cards/{external_id}: the cards that were sent to a person and are still shown. */
import { type Messages, parseTime } from '@roster/contract';
import { identityKey } from '@roster/profile';
import type { SendDocument, Store } from '@roster/store';
import type { Read } from '../handler.ts';

/** Pinned ones are looked for among the last so many. */
const most = { shown: 50, looked: 100 };

const dayMs = 24 * 60 * 60 * 1000;
const usualDays = 30;

type Card = Partial<NonNullable<Messages['content_card']>>;

const expiryOf = ({ time_to_live, expire_at }: Card, at: Date): number => {
  const latest = at.getTime() + usualDays * dayMs;
  if (time_to_live !== undefined) return Math.min(at.getTime() + time_to_live * 1000, latest);
  return Math.min(expire_at === undefined ? latest : (parseTime(expire_at) ?? latest), latest);
};

/** Merged people keep the cards of both. */
const serviceIdsOf = async ({ identities, profiles }: Store, ws: string, id: string): Promise<string[]> => {
  const claim = await identities.findOne({ _id: identityKey(ws, { by: 'external_id', id }) });
  const found = claim && (await profiles.findOne({ _id: claim.profile }, { projection: { absorbed: 1 } }));
  return found ? [found._id, ...(found.absorbed ?? [])] : [];
};

const shownOf = ({ _id, at, outbox = '{}' }: SendDocument) => {
  const card = JSON.parse(outbox) as Card;
  return { id: _id, at, expires: expiryOf(card, at), card };
};

export const readCards: Read = async ({ ws, at, params }, { store, fresh }) => {
  await fresh(at, ws);
  const profiles = await serviceIdsOf(store, ws, params?.external_id ?? '');
  const rows = await store.messages.sends
    .find(
      { profile: { $in: profiles }, channel: 'content_card', state: 'sent' },
      { sort: { expires: -1 }, limit: most.looked },
    )
    .toArray();
  const now = Date.now();
  const cards = rows
    .map(shownOf)
    .filter(({ expires }) => expires > now)
    .toSorted(
      (a, b) =>
        Number(b.card.pinned ?? false) - Number(a.card.pinned ?? false) || Number(b.at) - Number(a.at),
    )
    .slice(0, most.shown);
  return {
    content_cards: cards.map(({ id, at: sent, expires, card }) => ({
      id,
      created_at: sent.toISOString(),
      expires_at: new Date(expires).toISOString(),
      card,
    })),
    message: 'success',
  };
};
