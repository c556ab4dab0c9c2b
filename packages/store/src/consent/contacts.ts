/**
 * Statements about emails and phones. Statements about a contact without an owner, after the former owner was erased, stand
 * under a keyed digest of the contact: the digest does not reveal it, and a new owner of the contact finds them.
 */
import { type Consent, type ContactWrite, type Stamp, saidAfter, saidIn, withSaid } from '@roster/profile';
import type { Secrets } from '@roster/secrets';
import type { Collection, Session } from '../connection/db.ts';
import type { Moment } from '../connection/snapshot.ts';
import { digestsOf } from '../identifiers/tombstones.ts';
import type { CollectionsOf } from '../models/models.ts';
import type { ContactDocument } from '../models/people.ts';
import { expiryOf } from '../requests/outcomes.ts';
import { keepForLeavers } from './leavers.ts';

/** A state of an unowned contact is kept for so long, except "unsubscribed". */
const inThirtyDays = (): Date => expiryOf(new Date(), 30);

const isSameLength = (one: Consent, other: Consent | undefined): boolean =>
  other !== undefined && (one.earlier?.length ?? 0) === (other.earlier?.length ?? 0);

/** The statements of both. */
const joined = (one: readonly Consent[], other: readonly Consent[]): readonly Consent[] =>
  other.reduce<readonly Consent[]>((all, next) => withSaid(all, next.k, ...saidIn(next)), one);

/** The ids under which statements about a contact may stand: its key, and the digests of the key. */
const createIds = (secrets: Secrets | undefined) => {
  const hiddenIds = (key: string): string[] =>
    secrets === undefined ? [] : digestsOf(secrets, key).map((digest) => `#${digest}`);
  return {
    /** The one under which statements are hidden now comes first. */
    hiddenIds,
    /** Each id with its contact key. */
    idsOf(keys: Iterable<string>): Map<string, string> {
      const ids = new Map<string, string>();
      for (const key of keys) {
        ids.set(key, key);
        for (const hidden of hiddenIds(key)) ids.set(hidden, key);
      }
      return ids;
    },
  };
};

/** By identity key; an empty list for a contact without statements. */
const readSaid = async (
  contacts: Collection<ContactDocument>,
  idsOf: (keys: Iterable<string>) => Map<string, string>,
  keys: Iterable<string>,
  options: Moment | { session?: Session } = {},
): Promise<Map<string, readonly Consent[]>> => {
  const said = new Map<string, readonly Consent[]>([...keys].map((key) => [key, []]));
  if (said.size === 0) return said;
  const ids = idsOf(said.keys());
  const found = await contacts
    .find({ _id: { $in: [...ids.keys()] } }, { ...options, batchSize: ids.size + 1 })
    .toArray();
  for (const { _id, consents } of found) {
    const key = ids.get(_id) ?? _id;
    said.set(key, joined(said.get(key) ?? [], consents));
  }
  return said;
};

const remove = (ids: readonly string[]) => ({ deleteMany: { filter: { _id: { $in: [...ids] } } } });

const writesFor =
  (hiddenIds: (key: string) => string[]) =>
  ({ key, ws, consents, mayBeUnowned, isErased }: ContactWrite) => {
    const $set = { ws, consents: [...consents], ...(mayBeUnowned && { due: inThirtyDays() }) };
    const update = { updateOne: { filter: { _id: key }, update: { $set }, upsert: true } };
    if (!isErased) return [update];
    return consents.length > 0 ? [remove(hiddenIds(key)), update] : [remove([key, ...hiddenIds(key)])];
  };

export const createContactConsents = (
  { contacts, profiles }: CollectionsOf<'contacts' | 'profiles'>,
  secrets: Secrets | undefined,
) => {
  const { hiddenIds, idsOf } = createIds(secrets);
  const writesOf = writesFor(hiddenIds);
  const read = (keys: Iterable<string>, options?: Moment | { session?: Session }) =>
    readSaid(contacts, idsOf, keys, options);

  /** Statements are forgotten: people who have left the contact keep theirs. */
  const keepFor = async (session: Session, erased: readonly Pick<ContactWrite, 'ws' | 'key'>[]) => {
    const keys = erased.map(({ key }) => key);
    const before = await read(keys, { session });
    for (const { ws, key } of erased)
      await keepForLeavers(profiles, session, { ws, key, consents: before.get(key) ?? [] });
  };

  return {
    read,

    /** In the transaction that read the contacts, after it wrote the people. */
    async write(session: Session, all: readonly ContactWrite[]): Promise<void> {
      const erased = all.filter(({ isErased }) => isErased);
      await keepFor(session, erased);
      if (all.length > 0) await contacts.bulkWrite(all.flatMap(writesOf), { session });
    },

    /** In a transaction: the last owner was deleted. */
    async eraseUpTo(session: Session, ws: string, key: string, at: Stamp): Promise<void> {
      const before = (await read([key], { session })).get(key) ?? [];
      const consents = saidAfter(before, at);
      if (before.length === 0) return;
      const isSame =
        consents.length === before.length && consents.every((one, n) => isSameLength(one, before[n]));
      if (isSame) return;
      await keepForLeavers(profiles, session, { ws, key, consents: before });
      await contacts.bulkWrite(writesOf({ key, ws, consents, isErased: true }), { session });
    },

    /** In a transaction: replaces the key by its digest. */
    async hide(session: Session, ws: string, key: string): Promise<void> {
      const [hidden, ...others] = hiddenIds(key);
      const consents = (await read([key], { session })).get(key) ?? [];
      await keepForLeavers(profiles, session, { ws, key, consents });
      await contacts.deleteMany({ _id: { $in: [key, ...others] } }, { session });
      if (hidden === undefined || consents.length === 0) return;
      const $set = { ws, consents: [...consents], due: inThirtyDays() };
      await contacts.updateOne({ _id: hidden }, { $set }, { session, upsert: true });
    },
  };
};

export type ContactConsentsStore = ReturnType<typeof createContactConsents>;
