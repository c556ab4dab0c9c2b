/** The writes about statements of a contact. */
import type { Consent, ContactWrite } from '@roster/profile';

/** A state of an unowned contact is kept for 30 days, except "unsubscribed". */
const mostIdleMs = 30 * 24 * 60 * 60 * 1000;

export const inThirtyDays = (): Date => new Date(Date.now() + mostIdleMs);

export const isSameLength = (one: Consent, other: Consent | undefined): boolean =>
  other !== undefined && (one.earlier?.length ?? 0) === (other.earlier?.length ?? 0);

const remove = (ids: readonly (string | undefined)[]) => ({
  deleteMany: { filter: { _id: { $in: ids.filter((id) => id !== undefined) } } },
});

export const writesFor =
  (hiddenId: (key: string) => string | undefined) =>
  ({ key, ws, consents, mayBeUnowned, isErased }: ContactWrite) => {
    const $set = { ws, consents: [...consents], ...(mayBeUnowned && { due: inThirtyDays() }) };
    const update = { updateOne: { filter: { _id: key }, update: { $set }, upsert: true } };
    if (!isErased) return [update];
    return consents.length > 0 ? [remove([hiddenId(key)]), update] : [remove([key, hiddenId(key)])];
  };
