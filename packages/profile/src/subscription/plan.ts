/** The plan of a batch of subscription requests: everything that has to be written. The rules are those of tracking. */

import { mostProfileBytes } from '../bytes.ts';
import { groupKey } from '../consent/consent.ts';
import type { ContactWrite } from '../consent/contacts.ts';
import { identityKey } from '../find/identifier.ts';
import { isNeedy } from '../find/known.ts';
import { mostElements } from '../fold/array-change.ts';
import type { ChangedProfile } from '../fold/drafts.ts';
import { type Fold, fold as foldChanges } from '../fold/fold.ts';
import { createAttributes } from '../plan/attributes.ts';
import { createFindPerson } from '../plan/find-person.ts';
import type { AttributeObject, Item, Origin } from '../plan/item.ts';
import type { Needs, PlanKnown } from '../plan/known.ts';
import { createPeople, type People } from '../plan/people.ts';
import type { EntryResult, EntryResults } from '../plan/result.ts';
import type { ConsentState } from '../profile.ts';

/** One name of a request, with its new state. */
export interface NamedStatement {
  array: 'external_ids' | 'service_ids' | 'emails' | 'phones';
  name: string;
  /** Id of the subscription group; without one the statement is about all emails to the person. */
  group?: string;
  state: ConsentState;
  /** Of the group. */
  channel: 'email' | 'sms';
}

export interface SubscriptionRequest extends Origin {
  statements: readonly NamedStatement[];
}

interface SubscriptionOutcome {
  origin: Origin;
  /** In the order of the statements, by their arrays. */
  entries: Record<string, EntryResult[]>;
}

export type SubscriptionPlan =
  | { ready: false; needs: Needs }
  | {
      ready: true;
      changed: ChangedProfile[];
      contacts: ContactWrite[];
      outcomes: SubscriptionOutcome[];
    };

export interface SubscriptionPlanInput {
  /** In the order of their stamps. */
  requests: readonly SubscriptionRequest[];
  known: PlanKnown;
  fold?: Fold;
}

const understandsNothing = () => undefined;
const reading = {
  time: understandsNothing,
  country: understandsNothing,
  timeZone: understandsNothing,
  language: understandsNothing,
};
/** A workspace that blocks an attribute of this name does not block unsubscribing. */
const settings = { blockedAttributes: new Set<string>(), mostElements, mostProfileBytes };
const isOfTexts = (): boolean => true;

const identifiers = {
  external_ids: (id: string) => ({ by: 'external_id', id }) as const,
  service_ids: (id: string) => ({ by: 'service_id', id }) as const,
  emails: (email: string) => ({ by: 'email', email }) as const,
  phones: (phone: string) => ({ by: 'phone', phone }) as const,
};

const identifierOf = ({ array, name }: NamedStatement) => identifiers[array](name);

const isOfPerson = ({ array }: NamedStatement): boolean =>
  array === 'external_ids' || array === 'service_ids';

export const contactKeyOf = (ws: string, statement: NamedStatement): string | undefined =>
  isOfPerson(statement) ? undefined : identityKey(ws, identifierOf(statement));

export const personKeyOf = (ws: string, statement: NamedStatement): string | undefined =>
  isOfPerson(statement) ? identityKey(ws, identifierOf(statement)) : undefined;

const saidIn = ({ group, state }: NamedStatement): Pick<AttributeObject, string> =>
  group === undefined
    ? { email_subscribe: state }
    : { subscription_groups: [{ subscription_group_id: group, subscription_state: state }] };

/** The same as an attribute object that can't create a person. */
const itemOf = (origin: Origin, statement: NamedStatement, position: number): Item<AttributeObject> => {
  const identifier = identifierOf(statement);
  return {
    origin,
    kind: 'attributes',
    index: 0,
    position,
    entry: { _update_existing_only: true, ...saidIn(statement) },
    identifier,
    key: identityKey(origin.ws, identifier),
  };
};

/** The result of a statement: a change of a person, or of a contact. */
const createSaying = (people: People, known: PlanKnown) => {
  const findPerson = createFindPerson(known, people);
  const sayOf = {
    email: createAttributes({ people, findPerson, reading, settingsOf: () => settings }),
    sms: createAttributes({ people, findPerson, reading, settingsOf: () => ({ ...settings, isOfTexts }) }),
  };

  const ofPerson = (item: Item<AttributeObject>, { channel }: NamedStatement): EntryResult => {
    const result: EntryResults = { origin: item.origin, entries: { attributes: ['updated'] }, notes: [] };
    sayOf[channel](item, result);
    return result.entries.attributes?.[0] ?? 'updated';
  };

  /** About a contact, not about the people who have it. */
  const ofContact = (item: Item<AttributeObject>, { group, channel, state }: NamedStatement): EntryResult => {
    const { key, origin, position: n } = item;
    const { ws, at, op } = origin;
    if (people.isErased(key, at)) return 'ignored:deleted';
    const k = group === undefined ? 'email' : groupKey(group, channel);
    const said = { k, v: state, at, ...(n > 0 && { n }), ...(op !== undefined && { op }) };
    people.contacts.say(ws, key, [said], true);
    return 'updated';
  };

  return (item: Item<AttributeObject>, statement: NamedStatement): EntryResult =>
    isOfPerson(statement) ? ofPerson(item, statement) : ofContact(item, statement);
};

export const planSubscriptions = (input: SubscriptionPlanInput): SubscriptionPlan => {
  const { requests, known, fold = foldChanges } = input;
  const people = createPeople(known, fold);
  const say = createSaying(people, known);
  const outcomes = requests.map(({ statements, ...origin }): SubscriptionOutcome => {
    const entries: SubscriptionOutcome['entries'] = {};
    for (const [position, statement] of statements.entries()) {
      const item = itemOf(origin, statement, position);
      const result = say(item, statement);
      const results = entries[statement.array] ?? [];
      results.push(result);
      entries[statement.array] = results;
    }
    return { origin, entries };
  });
  if (isNeedy(people.needs)) return { ready: false, needs: people.needs };
  const { changed, contacts } = people.writes();
  return { ready: true, changed, contacts, outcomes };
};
