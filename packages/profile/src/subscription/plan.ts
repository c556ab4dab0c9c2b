/** The plan of a batch of subscription requests: everything that has to be written. The rules are those of tracking. */

import { groupKey } from '../consent/consent.ts';
import { identityKey } from '../find/identifier.ts';
import { isNeedy } from '../find/known.ts';
import { fold } from '../fold/fold.ts';
import { createAttributes } from '../plan/attributes.ts';
import { createFindPerson } from '../plan/find-person.ts';
import type { AttributeObject, Item, Origin } from '../plan/item.ts';
import type { PlanKnown } from '../plan/known.ts';
import { createPeople, type People } from '../plan/people.ts';
import type { EntryResult, EntryResults } from '../plan/result.ts';
import type { ConsentState } from '../profile.ts';
import { only } from '../reading/reading.ts';

/** One name of a request, with its new state. */
export interface NamedStatement {
  array: 'external_ids' | 'service_ids' | 'emails' | 'phones';
  name: string;
  /** Id of the subscription group; without one the statement is about all emails to the person. */
  group?: string;
  state: ConsentState | null;
  /** Of the group. */
  channel: 'email' | 'sms';
}

export interface SubscriptionRequest extends Origin {
  statements: readonly NamedStatement[];
}

export type SubscriptionPlan = ReturnType<typeof planSubscriptions>;

export interface SubscriptionPlanInput {
  /** In the order of their stamps. */
  requests: readonly SubscriptionRequest[];
  known: PlanKnown;
}

const identifiers = {
  external_ids: (id: string) => ({ by: 'external_id', id }) as const,
  service_ids: (id: string) => ({ by: 'service_id', id }) as const,
  emails: (email: string) => ({ by: 'email', email }) as const,
  phones: (phone: string) => ({ by: 'phone', phone }) as const,
};

const identifierOf = ({ array, name }: NamedStatement) => identifiers[array](name);

export const isOfPerson = ({ array }: NamedStatement): boolean =>
  array === 'external_ids' || array === 'service_ids';

export const statementKey = (ws: string, statement: NamedStatement): string =>
  identityKey(ws, identifierOf(statement));

/** The result of a statement: a change of a person, or of a contact. */
const createSaying = (people: People, known: PlanKnown) => {
  const findPerson = createFindPerson(known, people);

  /** The same as an attribute object that can't create a person. No blocked attribute blocks unsubscribing. */
  const ofPerson = (item: Item<AttributeObject>, k: string, v: ConsentState | null): EntryResult => {
    const result: EntryResults = { origin: item.origin, entries: { attributes: ['updated'] }, notes: [] };
    createAttributes({ people, findPerson, changesOf: () => only({ kind: 'consent', k, v }) })(item, result);
    return result.entries.attributes?.[0] ?? 'updated';
  };

  /** About a contact, not about the people who have it. */
  const ofContact = (
    { key, origin, position: n }: Item<AttributeObject>,
    k: string,
    v: ConsentState | null,
  ) => {
    const { ws, at, op } = origin;
    if (people.isErased(key, at)) return 'ignored:deleted';
    people.contacts.say(ws, key, [{ k, v, at, ...(n > 0 && { n }), ...(op !== undefined && { op }) }], true);
    return 'updated';
  };

  return (origin: Origin, statement: NamedStatement, position: number): EntryResult => {
    const { group, channel, state } = statement;
    const identifier = identifierOf(statement);
    const key = statementKey(origin.ws, statement);
    const entry = { _update_existing_only: true };
    const item = { origin, kind: 'attributes' as const, index: 0, position, entry, identifier, key };
    const k = group === undefined ? 'email' : groupKey(group, channel);
    return (isOfPerson(statement) ? ofPerson : ofContact)(item, k, state);
  };
};

export const planSubscriptions = ({ requests, known }: SubscriptionPlanInput) => {
  const people = createPeople(known, fold);
  const say = createSaying(people, known);
  const outcomes = requests.map(({ statements, ...origin }) => {
    /** In the order of the statements, by their arrays. */
    const entries: Record<string, EntryResult[]> = {};
    for (const [position, statement] of statements.entries()) {
      entries[statement.array] ??= [];
      entries[statement.array]?.push(say(origin, statement, position));
    }
    return { origin, entries };
  });
  if (isNeedy(people.needs)) return { ready: false as const, needs: people.needs };
  const { changed, contacts } = people.writes();
  return { ready: true as const, changed, contacts, outcomes };
};
