/** What subscription requests say of people and of addresses: everything that has to be written. The rules are those of tracking. */
import { mostElements } from '../array-change.ts';
import { groupKey, type Said } from '../consent.ts';
import type { ConsentRow } from '../consent-history-rows.ts';
import { type Fold, fold as foldChanges } from '../fold.ts';
import { identityKey } from '../identifier.ts';
import type { Address } from '../plan/addresses.ts';
import { createAttributes } from '../plan/attributes.ts';
import type { AttributeObject, Item, Origin } from '../plan/item.ts';
import { isNeedy, type Known, type Needs } from '../plan/known.ts';
import { type Changed, createPeople } from '../plan/people.ts';
import type { EntryResult, Result } from '../plan/result.ts';
import { createWhose } from '../plan/whose.ts';
import type { ConsentState, Stamp } from '../profile.ts';

/** One name of a request, and what is said of it. */
export interface Statement {
  array: 'external_ids' | 'emails' | 'phones';
  name: string;
  /** Id of the subscription group. */
  group: string;
  state: ConsentState;
}

export interface SubscriptionRequest extends Origin {
  statements: readonly Statement[];
}

/** Somebody had an address from the one stamp on, before the other. */
export interface Leaver {
  profile: string;
  since: Stamp;
  until: Stamp;
}

export interface SubscriptionKnown extends Known {
  /** Since when the first of those who have an address have it; nobody's addresses are missing. */
  hadSince: ReadonlyMap<string, Stamp>;
  /** Who has left an address since the oldest of the requests was accepted. */
  leftBy: ReadonlyMap<string, readonly Leaver[]>;
}

export interface SubscriptionOutcome {
  origin: Origin;
  /** In the order of the statements, by their arrays. */
  entries: Record<string, EntryResult[]>;
}

export type SubscriptionPlan =
  | { ready: false; needs: Needs }
  | {
      ready: true;
      changed: Changed[];
      addresses: Address[];
      consents: readonly ConsentRow[];
      outcomes: SubscriptionOutcome[];
    };

export interface SubscriptionPlanInput {
  /** In the order of their stamps. */
  requests: readonly SubscriptionRequest[];
  known: SubscriptionKnown;
  fold?: Fold;
}

const understandsNothing = () => undefined;
const reading = {
  time: understandsNothing,
  country: understandsNothing,
  timeZone: understandsNothing,
  language: understandsNothing,
};
/** Whom a workspace keeps from having an attribute of this name, it does not keep from unsubscribing. */
const settingsOf = () => ({ blockedAttributes: new Set<string>(), mostElements });

const identifierOf = ({ array, name }: Statement) => {
  if (array === 'external_ids') return { by: 'external_id', id: name } as const;
  return array === 'emails'
    ? ({ by: 'email', email: name } as const)
    : ({ by: 'phone', phone: name } as const);
};

export const addressKeyOf = (ws: string, statement: Statement): string | undefined =>
  statement.array === 'external_ids' ? undefined : identityKey(ws, identifierOf(statement));

export const personKeyOf = (ws: string, statement: Statement): string | undefined =>
  statement.array === 'external_ids' ? identityKey(ws, identifierOf(statement)) : undefined;

/** The same as an attribute object that can't create anybody. */
const itemOf = (origin: Origin, statement: Statement, position: number): Item<AttributeObject> => {
  const { group, state } = statement;
  const identifier = identifierOf(statement);
  return {
    origin,
    kind: 'attributes',
    index: 0,
    position,
    entry: {
      _update_existing_only: true,
      subscription_groups: [{ subscription_group_id: group, subscription_state: state }],
    },
    identifier,
    key: identityKey(origin.ws, identifier),
  };
};

export const planSubscriptions = (input: SubscriptionPlanInput): SubscriptionPlan => {
  const { requests, known, fold = foldChanges } = input;
  const people = createPeople(known, fold);
  const whose = createWhose(known, people);
  const sayOf = createAttributes({ people, whose, reading, settingsOf });

  const ofPerson = (item: Item<AttributeObject>): EntryResult => {
    const result: Result = { origin: item.origin, entries: { attributes: ['updated'] }, notes: [] };
    sayOf(item, result);
    return result.entries.attributes?.[0] ?? 'updated';
  };

  const ofAddress = ({ key, origin }: Item<AttributeObject>, { group, state }: Statement): void => {
    const { id: request, ws, at } = origin;
    const isOrphan = (known.hadSince.get(key) ?? Number.POSITIVE_INFINITY) > at;
    const k = groupKey(group);
    const said: Said = { k, v: state, at, ...(isOrphan && { orphan: true }) };
    const before = people.addresses.saidBefore(key, Number.POSITIVE_INFINITY);
    people.history.say({ request, ws, ...said, address: { key, before } });
    people.addresses.say(ws, key, [said]);
  };

  /** They had the address when it was said, though they have left it by now: it stays with them, not with the address they have. */
  const ofLeavers = (item: Item<AttributeObject>, { group, state }: Statement): void => {
    const { id: request, ws, at } = item.origin;
    const k = groupKey(group);
    for (const { profile, since, until } of known.leftBy.get(item.key) ?? []) {
      if (at < since || at >= until) continue;
      const identifier = { by: 'service_id', id: profile } as const;
      const theirs = { ...item, identifier, key: identityKey(ws, identifier) };
      const found = whose(theirs);
      const before = 'id' in found ? people.current(found.id) : undefined;
      if (!before) continue;
      people.history.say({
        request,
        ws,
        k,
        v: state,
        at,
        profile: { id: before._id, before: before.consents },
      });
      people.change(before, [{ kind: 'consent', k, v: state }], theirs);
    }
  };

  /**
   * Also of whoever had it when the request was accepted and has since been merged into somebody. A person who was deleted since
   * leaves nothing to say it of.
   */
  const ofEverybody = (item: Item<AttributeObject>, statement: Statement): EntryResult => {
    const found = whose(item);
    if (found.is === 'open') return 'updated';
    if (found.is === 'followed') ofPerson(item);
    ofLeavers(item, statement);
    const isGone = found.is === 'ignored' && found.reason === 'deleted';
    if (isGone && (known.hadSince.get(item.key) ?? item.origin.at + 1) > item.origin.at)
      return 'ignored:deleted';
    ofAddress(item, statement);
    return 'updated';
  };

  const outcomes = requests.map(({ statements, ...origin }): SubscriptionOutcome => {
    const entries: SubscriptionOutcome['entries'] = {};
    for (const [position, statement] of statements.entries()) {
      const item = itemOf(origin, statement, position);
      const result = statement.array === 'external_ids' ? ofPerson(item) : ofEverybody(item, statement);
      entries[statement.array] = [...(entries[statement.array] ?? []), result];
    }
    return { origin, entries };
  });
  if (isNeedy(people.needs)) return { ready: false, needs: people.needs };
  const { changed, addresses, consents } = people.writes();
  return { ready: true, changed, addresses, consents, outcomes };
};
