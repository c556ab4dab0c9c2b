/** Applies one attribute object: to whom it is about, and to the email of that person, if it says something about consent. */
import { type AttributeSettings, type Change, changesOf, type Reading } from '../change.ts';
import type { Said } from '../consent.ts';
import type { Identifier } from '../identifier.ts';
import type { Profile, Stamp } from '../profile.ts';
import { type AttributeObject, type Item, type Origin, tokenIdentity } from './item.ts';
import { addressOf } from './known.ts';
import type { People } from './people.ts';
import { withTokens } from './push-tokens.ts';
import { note, type Result, settle } from './result.ts';
import type { Whose } from './whose.ts';

export interface AttributesInput {
  people: People;
  whose(item: Item<AttributeObject>): Whose;
  reading: Reading;
  settingsOf(ws: string): AttributeSettings;
}

type Somebody = Extract<Whose, { id: string }>;
type AttributeItem = Item<AttributeObject>;

/** An import of tokens names nobody, so no member of it is an identifier only. */
const nobody: Identifier = { by: 'service_id', id: '' };

/** Consent to push belongs to the devices of one person; all other consent to whoever has the email. */
const isShared = (k: string): boolean => k !== 'push';

const statementsIn = (changes: readonly Change[], at: Stamp): Said[] =>
  changes.flatMap((change) =>
    change.kind === 'consent' && isShared(change.k) ? [{ k: change.k, v: change.v, at }] : [],
  );

const everything = Number.POSITIVE_INFINITY;

/** What they said of themselves while they had, by the order of record, the email that this entry gives them. */
const saidSince = ({ consents, fields }: Profile): Said[] =>
  consents.filter(({ k, at }) => isShared(k) && at > (fields.email?.at ?? 0));

export const createAttributes = ({ people, whose, reading, settingsOf }: AttributesInput) => {
  /** Kept for those who ask later: what was said of the person, and of the email they have then. */
  const remember = (
    before: Profile,
    email: string | undefined,
    changes: readonly Change[],
    origin: Origin,
  ): void => {
    const { id: request, ws, at } = origin;
    for (const change of changes) {
      if (change.kind !== 'consent') continue;
      const { k, v } = change;
      const said =
        email !== undefined && isShared(k) ? people.addresses.saidBefore(email, everything) : undefined;
      people.history.say({
        request,
        ws,
        k,
        v,
        at,
        profile: { id: before._id, before: before.consents },
        ...(said && email !== undefined && { address: { key: email, before: said } }),
      });
    }
  };

  /** Of whoever has the email now, not of the person: they said it before. */
  const rememberToo = (email: string, statements: readonly Said[], { id: request, ws }: Origin): void => {
    const address = { key: email, before: people.addresses.saidBefore(email, everything) };
    for (const { k, v, at } of statements) people.history.say({ request, ws, k, v, at, address });
  };

  /** Only an import that came late can find anything but its own statements. */
  const say = (before: Profile, after: Profile, statements: readonly Said[], origin: Origin): void => {
    const email = addressOf(after, 'email');
    if (email === undefined) return;
    const isNew = email !== addressOf(before, 'email');
    const earlier = isNew ? saidSince(after) : [];
    const all = [...earlier, ...statements];
    if (earlier.length > 0) rememberToo(email, earlier, origin);
    if (all.length > 0) people.addresses.say(after.ws, email, all);
  };

  const apply = (item: AttributeItem, found: Somebody, entry: AttributeObject, result: Result): void => {
    const { is, id } = found;
    const before = people.current(id);
    if (!before) return;
    const { identifier, origin } = item;
    const subject = identifier.by === 'tokens' ? nobody : identifier;
    const { changes, notes } = changesOf(entry, subject, reading, settingsOf(origin.ws));
    const folded =
      found.is === 'followed'
        ? people.merge(before, changes, item, found.away)
        : people.change(before, changes, item);
    for (const { field, reason } of [...notes, ...folded.notes]) note(result, item, field, reason);
    const email = is === 'followed' ? undefined : addressOf(folded.profile, 'email');
    remember(before, email, changes, origin);
    if (is !== 'followed') say(before, folded.profile, statementsIn(changes, origin.at), origin);
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
