/** Applies one attribute object: to whom it is about, and to the email they had, if it says something about consent. */
import { type AttributeSettings, type Change, changesOf, type Reading } from '../change.ts';
import { type Said, sinceOf } from '../consent.ts';
import { type Identifier, identityKey } from '../identifier.ts';
import type { ConsentState, Profile, Stamp } from '../profile.ts';
import { type AttributeObject, type Item, type Origin, tokenIdentity } from './item.ts';
import { addressOf } from './known.ts';
import { createLeavers } from './leavers.ts';
import type { People } from './people.ts';
import { withTokens } from './push-tokens.ts';
import { note, type Result, settle } from './result.ts';
import type { Follow, Whose } from './whose.ts';

export interface AttributesInput {
  people: People;
  whose(item: Item<AttributeObject>): Whose;
  follow: Follow;
  reading: Reading;
  settingsOf(ws: string): AttributeSettings;
  /** Which consent of theirs holds for everybody who has the email. */
  isShared?(k: string): boolean;
}

type Somebody = Extract<Whose, { id: string }>;
type AttributeItem = Item<AttributeObject>;

/** An import of tokens names nobody, so no member of it is an identifier only. */
const nobody: Identifier = { by: 'service_id', id: '' };

/** Consent to push belongs to the devices of one person; all other consent to whoever has the email. */
const isNotPush = (k: string): boolean => k !== 'push';

const everything = Number.POSITIVE_INFINITY;
const nothingCounts: ReadonlyMap<string, ConsentState | null> = new Map();

/** The email that the entry itself gives: of whatever came later it knows nothing. */
const givenEmail = (
  { identifier, key, origin }: AttributeItem,
  changes: readonly Change[],
): { key: string | undefined } | undefined => {
  for (const change of changes) {
    if (change.kind !== 'field' || change.name !== 'email') continue;
    const { value } = change;
    return { key: typeof value === 'string' ? emailIdentity(origin.ws, value) : undefined };
  }
  return identifier.by === 'email' ? { key } : undefined;
};

const emailIdentity = (ws: string, email: string): string => identityKey(ws, { by: 'email', email });

export const createAttributes = (input: AttributesInput) => {
  const { people, whose, follow, reading, settingsOf, isShared = isNotPush } = input;
  const tellLeavers = createLeavers(people, follow);

  const statementsIn = (changes: readonly Change[], at: Stamp): Said[] =>
    changes.flatMap((change) =>
      change.kind === 'consent' && isShared(change.k) ? [{ k: change.k, v: change.v, at }] : [],
    );

  /** What they said of themselves while they had, by the order of record, the email that this entry gives them. */
  const saidSince = ({ consents, fields }: Profile): Said[] =>
    consents.filter(({ k, at }) => isShared(k) && at > (fields.email?.at ?? 0));

  /** Kept for those who ask later: what was said of the person, and of the email they have then. */
  const remember = (
    before: Profile,
    counted: ReadonlyMap<string, ConsentState | null>,
    email: string | undefined,
    changes: readonly Change[],
    origin: Origin,
  ): void => {
    const { id: request, ws, at } = origin;
    const saidOfEmail = email === undefined ? undefined : people.addresses.saidBefore(email, everything);
    for (const change of changes) {
      if (change.kind !== 'consent') continue;
      const { k, v } = change;
      const said = isShared(k) ? saidOfEmail : undefined;
      people.history.say({
        request,
        ws,
        k,
        v,
        at,
        profile: { id: before._id, before: before.consents },
        counted: [counted.get(k) ?? null],
        ...(said && email !== undefined && { address: { key: email, before: said } }),
      });
    }
  };

  /** Of whoever has the email now, not of the person: they said it before. */
  const rememberToo = (email: string, statements: readonly Said[], { id: request, ws }: Origin): void => {
    const address = { key: email, before: people.addresses.saidBefore(email, everything) };
    for (const { k, v, at } of statements) people.history.say({ request, ws, k, v, at, address });
  };

  /** The email that they had, by the order of record, when this was said. They may have got another one since, or none. */
  const emailThen = (
    item: AttributeItem,
    found: Somebody,
    { fields, ...profile }: Profile,
    changes: readonly Change[],
  ): string | undefined => {
    const { at } = item.origin;
    const isFollowed = found.is === 'followed';
    if (!isFollowed && (sinceOf(fields.email) ?? everything) <= at) return addressOf(profile, 'email');
    const given = givenEmail(item, changes);
    if (given) return given.key;
    if (isFollowed) return people.leftAddressOf(found.away, 'email', at);
    return (fields.email?.at ?? 0) > at ? people.leftAddressOf(found.id, 'email', at) : undefined;
  };

  const say = (item: AttributeItem, email: string, statements: readonly Said[], result: Result): void => {
    people.addresses.say(item.origin.ws, email, statements);
    for (const statement of statements)
      if (tellLeavers(email, statement, item).unloaded > 0) note(result, item, 'email', 'too_much_to_load');
  };

  /** Only an import that came late can find anything. */
  const sayEarlier = (item: AttributeItem, before: Profile, after: Profile, result: Result): void => {
    const email = addressOf(after, 'email');
    if (email === undefined || email === addressOf(before, 'email')) return;
    const earlier = saidSince(after);
    if (earlier.length === 0) return;
    rememberToo(email, earlier, item.origin);
    say(item, email, earlier, result);
  };

  /** What counts for them before the entry changes it. */
  const countedFor = (
    before: Profile,
    changes: readonly Change[],
  ): ReadonlyMap<string, ConsentState | null> =>
    changes.some(({ kind }) => kind === 'consent') ? people.countsOf(before) : nothingCounts;

  const apply = (item: AttributeItem, found: Somebody, entry: AttributeObject, result: Result): void => {
    const { is, id } = found;
    const before = people.current(id);
    if (people.isUnloaded(id)) settle(result, item, 'ignored:too_much_to_load');
    if (!before) return;
    const { identifier, origin } = item;
    const subject = identifier.by === 'tokens' ? nobody : identifier;
    const { changes, notes } = changesOf(entry, subject, reading, settingsOf(origin.ws));
    const counted = countedFor(before, changes);
    const folded =
      found.is === 'followed'
        ? people.merge(before, changes, item, found.away)
        : people.change(before, changes, item);
    if (folded.isFull) {
      settle(result, item, 'ignored:profile_full');
      return;
    }
    for (const { field, reason } of [...notes, ...folded.notes]) note(result, item, field, reason);
    const statements = statementsIn(changes, origin.at);
    const email = statements.length > 0 ? emailThen(item, found, folded.profile, changes) : undefined;
    remember(before, counted, email, changes, origin);
    if (is !== 'followed') sayEarlier(item, before, folded.profile, result);
    if (email !== undefined) say(item, email, statements, result);
    result.person = id;
  };

  /** A token that somebody has stays theirs; the others go to somebody new. */
  const importTokens = (item: AttributeItem, keys: readonly string[], result: Result): void => {
    const { origin, entry } = item;
    const holders = keys.map((token) => people.holderOf(origin.ws, token));
    const unknown = keys.filter((_, index) => holders[index] === undefined);
    const holder = holders.find((one) => one !== undefined);
    if (holder !== undefined && unknown.length === 0) {
      settle(result, item, 'ignored:token_known');
      result.person = holder;
      return;
    }
    if (holder !== undefined) note(result, item, 'push_tokens', 'token_known');
    const key = tokenIdentity(origin.ws, unknown[0] ?? '');
    const rest: AttributeItem = { ...item, identifier: { by: 'tokens', keys: unknown }, key };
    applyTo(rest, withTokens(entry, new Set(unknown)), result);
  };

  const applyTo = (item: AttributeItem, entry: AttributeObject, result: Result): void => {
    const found = whose(item);
    if ('early' in found) result.early = true;
    if (found.is === 'ignored') settle(result, item, `ignored:${found.reason}`);
    if (found.is === 'created') settle(result, item, 'created');
    if (found.is !== 'ignored' && found.is !== 'open') apply(item, found, entry, result);
  };

  return (item: AttributeItem, result: Result): void => {
    if (item.identifier.by === 'tokens') importTokens(item, item.identifier.keys, result);
    else applyTo(item, item.entry, result);
  };
};
