/** What subscription requests say of people and of addresses: everything that has to be written. The rules are those of tracking. */
import { mostElements } from '../array-change.ts';
import { mostProfileBytes } from '../bytes.ts';
import { groupKey, type Said } from '../consent.ts';
import type { ConsentRow } from '../consent-history-rows.ts';
import { type Fold, fold as foldChanges } from '../fold.ts';
import { identityKey } from '../identifier.ts';
import type { Address } from '../plan/addresses.ts';
import { createAttributes } from '../plan/attributes.ts';
import type { AttributeObject, Item, Origin } from '../plan/item.ts';
import { type Fate, isNeedy, type Known, type Needs } from '../plan/known.ts';
import { createLeavers } from '../plan/leavers.ts';
import { type Changed, createPeople } from '../plan/people.ts';
import type { EntryResult, Result } from '../plan/result.ts';
import { createFollow, createWhose } from '../plan/whose.ts';
import type { ConsentState, Profile, Stamp } from '../profile.ts';

/** One name of a request, and what is said of it. */
export interface Statement {
  array: 'external_ids' | 'emails' | 'phones';
  name: string;
  /** Id of the subscription group. */
  group: string;
  state: ConsentState;
  /** Of the group. Only what is said of one of emails holds for all who share the email of a person. */
  channel: 'email' | 'sms';
}

export interface SubscriptionRequest extends Origin {
  statements: readonly Statement[];
}

export interface SubscriptionKnown extends Known {
  /** Since when the first of those who have an address have it; nobody's addresses are missing. */
  hadSince: ReadonlyMap<string, Stamp>;
  /**
   * Who has a phone: few people share one. Of those who share an email it is marked on the email when something else counts for one of
   * them, so nobody has to look at them.
   */
  owners: ReadonlyMap<string, readonly string[]>;
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
const settingsOf = () => ({
  blockedAttributes: new Set<string>(),
  mostElements,
  mostProfileBytes,
});

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

const isDeletion = ({ to }: Fate): boolean => to === undefined;

export const planSubscriptions = (input: SubscriptionPlanInput): SubscriptionPlan => {
  const { requests, known, fold = foldChanges } = input;
  const people = createPeople(known, fold);
  const whose = createWhose(known, people);
  const follow = createFollow(known, people);
  const tellLeavers = createLeavers(people, follow);
  const sayings = { people, whose, follow, reading, settingsOf };
  const sayOf = {
    email: createAttributes(sayings),
    sms: createAttributes({ ...sayings, isShared: () => false }),
  };

  const ofPerson = (item: Item<AttributeObject>, { channel }: Statement): EntryResult => {
    const result: Result = { origin: item.origin, entries: { attributes: ['updated'] }, notes: [] };
    sayOf[channel](item, result);
    return result.entries.attributes?.[0] ?? 'updated';
  };

  const ownersOf = (key: string): Profile[] =>
    (known.owners.get(key) ?? []).map((id) => people.current(id)).filter((one) => one !== undefined);

  /**
   * Of whoever has it, and of those who had it when the request was accepted. An orphan is what was said when there was nobody. When
   * all there were have been deleted since, there is nobody to say it of.
   */
  const ofAddress = (item: Item<AttributeObject>, { group, state }: Statement): EntryResult => {
    const { key, origin } = item;
    const { id: request, ws, at } = origin;
    const said: Said = { k: groupKey(group), v: state, at };
    const isHad = (known.hadSince.get(key) ?? Number.POSITIVE_INFINITY) <= at;
    const orphan = !isHad && people.leaversOf(key, said).length === 0;
    const statement: Said = orphan ? { ...said, orphan } : said;
    const { had, told } = tellLeavers(key, statement, item);
    const isGone = had > 0 || (known.fates.get(key) ?? []).some((fate) => isDeletion(fate) && at <= fate.at);
    if (!isHad && told === 0 && isGone) return 'ignored:deleted';
    const before = people.addresses.saidBefore(key, Number.POSITIVE_INFINITY);
    const owners = ownersOf(key);
    const counted = owners.map((owner) => people.countsOf(owner).get(said.k) ?? null);
    people.history.say({ request, ws, ...statement, address: { key, before }, counted });
    people.addresses.say(ws, key, [statement]);
    for (const owner of owners) people.cross(owner);
    return 'updated';
  };

  const outcomes = requests.map(({ statements, ...origin }): SubscriptionOutcome => {
    const entries: SubscriptionOutcome['entries'] = {};
    for (const [position, statement] of statements.entries()) {
      const item = itemOf(origin, statement, position);
      const result =
        statement.array === 'external_ids' ? ofPerson(item, statement) : ofAddress(item, statement);
      const results = entries[statement.array] ?? [];
      results.push(result);
      entries[statement.array] = results;
    }
    return { origin, entries };
  });
  if (isNeedy(people.needs)) return { ready: false, needs: people.needs };
  const { changed, addresses, consents } = people.writes();
  return { ready: true, changed, addresses, consents, outcomes };
};
