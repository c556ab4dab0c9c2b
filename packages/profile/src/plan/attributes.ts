/** Applies one attribute object to its person, and its statements of consent to their contact. */

import { tokenIdentity } from '../find/identifier.ts';
import { statementsIn } from '../fold/fold.ts';
import { keptByIdentify } from '../merge/merge-profiles.ts';
import type { Note } from '../note.ts';
import type { Changes, ProfileChange } from '../reading/change.ts';
import { type Awaits, awaitsNothing } from './awaits.ts';
import type { EntryPerson, FoundPerson } from './find-person.ts';
import type { AttributeObject, Item } from './item.ts';
import type { People } from './people.ts';
import { withTokens } from './push-tokens.ts';
import { type EntryResults, note, settle, settleFound } from './result.ts';
import { changesOfPerson, createStatements, isConsent } from './statements.ts';

export interface AttributesInput {
  people: People;
  findPerson(item: Item<AttributeObject>): EntryPerson;
  awaits?: Awaits;
  changesOf(item: Item<AttributeObject>, entry: AttributeObject): Changes;
}

type AttributeItem = Item<AttributeObject>;

const isPart = (found: FoundPerson): boolean => found.is === 'followed' && found.part === true;

const isTakenOver = (change: ProfileChange): boolean => {
  if (change.kind === 'field') return change.name === 'email' || change.name === 'phone';
  return isConsent(change) || (change.kind === 'list' && keptByIdentify.includes(change.name));
};

/** After `identify` without a merge, only a part of a late entry goes to the identified person. */
const takenOver = (found: FoundPerson, changes: readonly ProfileChange[]) => {
  if (!isPart(found)) return { taken: changes, left: [] };
  const left = changes.flatMap((change): Note[] =>
    change.kind === 'consent' || isTakenOver(change) ? [] : [{ field: change.name, reason: 'not_merged' }],
  );
  return { taken: changes.filter(isTakenOver), left };
};

const withOperation = (changes: readonly ProfileChange[], op: string | undefined): ProfileChange[] =>
  changes.map((change) => (change.kind === 'consent' && op !== undefined ? { ...change, op } : change));

/** Changes the person of an entry. */
const createApply = ({ people, changesOf }: AttributesInput) => {
  const sayAll = createStatements(people);

  return (item: AttributeItem, found: FoundPerson, entry: AttributeObject, result: EntryResults): void => {
    const { id } = found;
    const before = people.current(id);
    if (people.isUnloaded(id)) settle(result, item, 'ignored:too_much_to_load');
    if (!before) return;
    const { origin } = item;
    const { changes, notes } = changesOf(item, entry);
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
};

export const createAttributes = (input: AttributesInput) => {
  const { people, findPerson, awaits = awaitsNothing } = input;
  const apply = createApply(input);

  const applyTo = (item: AttributeItem, entry: AttributeObject, result: EntryResults): void => {
    const found = findPerson(item);
    settleFound(result, item, found);
    if (found.is !== 'ignored' && found.is !== 'open') apply(item, found, entry, result);
  };

  /** A token that a person has stays with them; the other tokens go to a new person. */
  const importTokens = (item: AttributeItem, keys: readonly string[], result: EntryResults): void => {
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

  return (item: AttributeItem, result: EntryResults): void => {
    if (item.identifier.by === 'tokens') importTokens(item, item.identifier.keys, result);
    else applyTo(item, item.entry, result);
  };
};
