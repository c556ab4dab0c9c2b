/** Applies one attribute object: to whom it is about, and to the contact that its statements of consent are said of. */
import { mergedAt } from '../absorbed-contacts.ts';
import { type AttributeSettings, type Change, changesOf, type Reading } from '../change.ts';
import { channelOf, type Statement } from '../consent.ts';
import { contactAt } from '../contact-log.ts';
import { statementsIn } from '../fold.ts';
import type { Identifier } from '../identifier.ts';
import { keptByIdentify } from '../merge/merge-profiles.ts';
import type { Note } from '../note.ts';
import type { Profile } from '../profile.ts';
import { type Awaits, awaitsNothing } from './awaits.ts';
import { type AttributeObject, type Item, tokenIdentity } from './item.ts';
import type { People } from './people.ts';
import { withTokens } from './push-tokens.ts';
import { note, type Result, settle } from './result.ts';
import type { Whose } from './whose.ts';

export interface AttributesInput {
  people: People;
  whose(item: Item<AttributeObject>): Whose;
  awaits?: Awaits;
  reading: Reading;
  settingsOf(ws: string): AttributeSettings;
}

type Somebody = Extract<Whose, { id: string }>;
type AttributeItem = Item<AttributeObject>;

/** An import of tokens names nobody, so no member of it is an identifier only. */
const nobody: Identifier = { by: 'service_id', id: '' };

const everything = Number.POSITIVE_INFINITY;

const isConsent = ({ kind }: Change): boolean => kind === 'consent';

const isPart = (found: Somebody): boolean => found.is === 'followed' && found.part === true;

const isTakenOver = (change: Change): boolean => {
  if (change.kind === 'field') return change.name === 'email' || change.name === 'phone';
  return isConsent(change) || (change.kind === 'list' && keptByIdentify.includes(change.name));
};

/** What comes late, after `identify` without a merge: not all of it goes to the person who was identified. */
const takenOver = (
  found: Somebody,
  changes: readonly Change[],
): { taken: readonly Change[]; left: Note[] } => {
  if (!isPart(found)) return { taken: changes, left: [] };
  const left = changes.flatMap((change): Note[] =>
    change.kind === 'consent' || isTakenOver(change) ? [] : [{ field: change.name, reason: 'not_merged' }],
  );
  return { taken: changes.filter(isTakenOver), left };
};

const withOperation = (changes: readonly Change[], op: string | undefined): Change[] =>
  changes.map((change) => (change.kind === 'consent' && op !== undefined ? { ...change, op } : change));

export const createAttributes = (input: AttributesInput) => {
  const { people, whose, awaits = awaitsNothing, reading, settingsOf } = input;

  /** Said by an email about emails, or by a phone about text messages: of the contact, and of nobody in particular. */
  const isOfContact = ({ identifier }: AttributeItem, k: string): boolean => channelOf(k) === identifier.by;

  /** The contact that a person had when this was said. If they have left it and its last owner was erased since, it is too late. */
  const contactThen = (
    profile: Profile,
    { k, at }: Statement,
    away: string | undefined,
  ): string | undefined => {
    const c = channelOf(k);
    const key = c && contactAt(profile, c, at, away);
    if (!c || key === undefined) return undefined;
    const isLeft = key !== contactAt(profile, c, everything);
    return isLeft && people.isErased(key, at) ? undefined : key;
  };

  /** Of somebody who was merged away: what the kept person lacks. */
  const sayOfAbsorbed = (
    item: AttributeItem,
    profile: Profile,
    statements: readonly Statement[],
    away: string,
  ): void => {
    const on = mergedAt(profile, away);
    const theirs = statements.filter(({ k }) => !isOfContact(item, k));
    if (on === undefined || theirs.length === 0) return;
    people.add(
      profile,
      theirs.map((statement) => ({ ...statement, from: away, on })),
    );
  };

  /** All statements of one contact at once: there may be as many as there are subscription groups. */
  const sayAll = (
    item: AttributeItem,
    found: Somebody,
    profile: Profile,
    statements: readonly Statement[],
  ): void => {
    const { ws } = item.origin;
    const away = found.is === 'followed' ? found.away : undefined;
    const said = new Map<string, Statement[]>();
    for (const statement of statements) {
      const key = isOfContact(item, statement.k) ? item.key : contactThen(profile, statement, away);
      if (key === undefined) continue;
      const some = said.get(key);
      if (some) some.push(statement);
      else said.set(key, [statement]);
    }
    for (const [key, some] of said) people.contacts.say(ws, key, some, key === item.key);
    if (away !== undefined) sayOfAbsorbed(item, profile, statements, away);
  };

  /** Without what is said of somebody else. */
  const changesOfPerson = (item: AttributeItem, { is }: Somebody, changes: readonly Change[]): Change[] =>
    is === 'followed'
      ? changes.filter((change) => !isConsent(change))
      : changes.filter((change) => change.kind !== 'consent' || !isOfContact(item, change.k));

  const apply = (item: AttributeItem, found: Somebody, entry: AttributeObject, result: Result): void => {
    const { id } = found;
    const before = people.current(id);
    if (people.isUnloaded(id)) settle(result, item, 'ignored:too_much_to_load');
    if (!before) return;
    const { identifier, origin } = item;
    const subject = identifier.by === 'tokens' ? nobody : identifier;
    const { changes, notes } = changesOf(entry, subject, reading, settingsOf(origin.ws));
    const { taken, left } = takenOver(found, changes);
    if (isPart(found) && taken.length === 0) {
      settle(result, item, 'ignored:deleted');
      return;
    }
    const all = taken.some(isConsent) ? withOperation(taken, origin.op) : taken;
    const statements = statementsIn(all, origin.at, item.position);
    const own = statements.length > 0 ? changesOfPerson(item, found, all) : all;
    const folded =
      found.is === 'followed'
        ? people.merge(before, own, item, found.away)
        : people.change(before, own, item);
    if (folded.isFull && statements.length === 0) {
      settle(result, item, 'ignored:profile_full');
      return;
    }
    for (const { field, reason } of [...notes, ...left, ...folded.notes]) note(result, item, field, reason);
    if (statements.length > 0) sayAll(item, found, folded.profile, statements);
    result.person = id;
  };

  /** A token that somebody has stays theirs; the others go to somebody new. */
  const importTokens = (item: AttributeItem, keys: readonly string[], result: Result): void => {
    const { origin, entry } = item;
    const holders = keys.map((token) => people.holderOf(origin.ws, token));
    const awaited = awaits(item, [...new Set(holders.flatMap((one) => one ?? []))]);
    if (awaited === true) result.waits = true;
    if (awaited !== false) return;
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
    if ('waits' in found) result.waits = true;
    if (found.is === 'ignored') settle(result, item, `ignored:${found.reason}`);
    if (found.is === 'created') settle(result, item, 'created');
    if (found.is !== 'ignored' && found.is !== 'open') apply(item, found, entry, result);
  };

  return (item: AttributeItem, result: Result): void => {
    if (item.identifier.by === 'tokens') importTokens(item, item.identifier.keys, result);
    else applyTo(item, item.entry, result);
  };
};
