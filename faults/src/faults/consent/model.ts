// What a plain sequential model makes of all that was said and of all that changed hands, in the order of record.
import { type Group, news, type Person, type State } from './roads.ts';

interface Place {
  at: number;
  /** In its request. */
  n: number;
  request: string;
}

export type Event = Place &
  (
    | { is: 'said of contact'; contact: string; group: Group; state: State }
    | { is: 'said of person'; id: string; group: Group; state: State }
    | { is: 'moved'; id: string; email: string }
  );

export interface Change {
  to: State;
  request: string;
}

interface Held {
  email: string;
  phone: string;
  /** What was last said of themselves, or counted when they left a contact. */
  own: Map<Group, State>;
  changes: Map<Group, Change[]>;
}

const placeOf = (contact: string, group: Group): string => `${contact} ${group}`;

const contactOf = ({ email, phone }: Held, group: Group): string => (group === news ? email : phone);

/** By contact, who has it. */
const createHolders = () => {
  const holders = new Map<string, Set<string>>();
  return (contact: string): Set<string> => {
    const some = holders.get(contact) ?? new Set<string>();
    holders.set(contact, some);
    return some;
  };
};

/** Consent belongs to the contact: groups of emails to the email, groups of text messages to the phone. */
export const createModel = (people: readonly Person[]) => {
  const contacts = new Map<string, State>();
  const all = new Map<string, Held>();
  const has = createHolders();
  const stateOf = (one: Held, group: Group): State | undefined =>
    contacts.get(placeOf(contactOf(one, group), group)) ?? one.own.get(group);

  for (const { id, email, phone } of people) {
    all.set(id, { email, phone, own: new Map(), changes: new Map() });
    for (const contact of [email, phone]) has(contact).add(id);
  }

  const note = (ids: Iterable<string>, group: Group, request: string): void => {
    for (const id of ids) {
      const one = all.get(id);
      const to = one && stateOf(one, group);
      const changes = one?.changes.get(group) ?? [];
      if (!one || to === undefined || changes.at(-1)?.to === to) continue;
      one.changes.set(group, [...changes, { to, request }]);
    }
  };

  const sayOfContact = (contact: string, group: Group, state: State, request: string): void => {
    contacts.set(placeOf(contact, group), state);
    note(has(contact), group, request);
  };

  const play = (event: Event): void => {
    const { request } = event;
    if (event.is === 'said of contact') {
      sayOfContact(event.contact, event.group, event.state, request);
      return;
    }
    const one = all.get(event.id);
    if (!one) throw new Error(`nobody is ${event.id}`);
    if (event.is === 'said of person') {
      one.own.set(event.group, event.state);
      sayOfContact(contactOf(one, event.group), event.group, event.state, request);
      return;
    }
    const state = stateOf(one, news);
    if (state) one.own.set(news, state);
    has(one.email).delete(event.id);
    one.email = event.email;
    has(one.email).add(event.id);
    note([event.id], news, request);
  };

  return {
    playAll(events: readonly Event[]): void {
      for (const event of events.toSorted((a, b) => a.at - b.at || a.n - b.n)) play(event);
    },
    stateOf: (id: string, group: Group): State | undefined => {
      const one = all.get(id);
      return one && stateOf(one, group);
    },
    changesOf: (id: string, group: Group): readonly Change[] => all.get(id)?.changes.get(group) ?? [],
  };
};

export type Model = ReturnType<typeof createModel>;
