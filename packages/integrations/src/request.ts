/** The requests that rows become: for each kind of data an operation, and how its body holds the entries. */
import type { DataKind, Json, OperationId, RowIdentifier } from '@roster/contract';
import type { Entry } from './entry.ts';

type By = RowIdentifier['by'];
type Body = { readonly [list: string]: readonly Entry[] };

const onlyList = (body: Body): readonly [list: string, elements: readonly Entry[]] =>
  Object.entries(body)[0] ?? ['', []];

export interface RequestKind {
  op: OperationId;
  /** Rows of one request. */
  most: number;
  /** Whether a body may hold entries that are refused beside others that are not. */
  oneByOne: boolean;
  /** Whether a body may name people in several ways: one by external id, the next by email. */
  mixes: boolean;
  /** The list of an outcome with the result of each entry. */
  list(by: By): string;
  body(entries: readonly Entry[], by: By): { [name: string]: Json };
  /** The way back, from a body that the judge accepted. */
  entriesIn(body: Body): { list: string; entries: readonly Entry[] };
  /** Outcomes that mean that there was nothing to do, which is what the row says. */
  fine: ReadonlySet<string>;
}

/** A person may stand in a request of /users/track/bulk so often. */
export const mostOfOnePerson = 100;

const track = (data: 'attributes' | 'events' | 'purchases'): RequestKind => ({
  op: 'users.track.bulk',
  most: 500,
  oneByOne: true,
  mixes: true,
  list: () => data,
  body: (entries) => ({ [data]: [...entries] }),
  entriesIn: (body) => ({ list: data, entries: body[data] ?? [] }),
  fine: new Set(),
});

const latest = (entry: Entry): Json => ({ ...entry, prioritization: ['most_recently_updated'] });

const deletedBy: Record<By, { list: string; entry(entry: Entry): Json }> = {
  external_id: { list: 'external_ids', entry: ({ external_id = null }) => external_id },
  service_id: { list: 'service_ids', entry: ({ service_id = null }) => service_id },
  user_alias: { list: 'user_aliases', entry: ({ user_alias = null }) => user_alias },
  email: { list: 'email_addresses', entry: latest },
  phone: { list: 'phone_numbers', entry: latest },
};

const groupMember: Record<By, string> = {
  external_id: 'external_ids',
  email: 'emails',
  phone: 'phones',
  // The operation refuses both.
  service_id: 'service_id',
  user_alias: 'user_alias',
};

const groupOf = (entry: Entry, by: By): Entry => {
  const { subscription_group_id = null, subscription_state = null, [by]: person = null } = entry;
  return { subscription_group_id, subscription_state, [groupMember[by]]: [person] };
};

const ways: readonly By[] = ['external_id', 'user_alias', 'service_id', 'email', 'phone'];

/** How an entry names its person. */
export const wayOf = (entry: Entry): By => ways.find((by) => entry[by] !== undefined) ?? 'external_id';

const deletionsIn = (body: Body): ReturnType<RequestKind['entriesIn']> => {
  const [list, elements] = onlyList(body);
  const by = ways.find((way) => deletedBy[way].list === list) ?? 'external_id';
  const entries = elements.map(({ prioritization: _, ...element }): Entry => {
    return by in element ? element : { [by]: element };
  });
  return { list, entries };
};

const groupsIn = (body: Body): ReturnType<RequestKind['entriesIn']> => {
  const [, groups] = onlyList(body);
  const entries = groups.map((group): Entry => {
    const { subscription_group_id = null, subscription_state = null } = group;
    const by = ways.find((way) => Array.isArray(group[groupMember[way]])) ?? 'external_id';
    const [person = null] = group[groupMember[by]] as Json[];
    return { subscription_group_id, subscription_state, [by]: person };
  });
  const [first] = entries;
  return { list: first ? groupMember[wayOf(first)] : '', entries };
};

export const requestKinds: Record<DataKind, RequestKind> = {
  attributes: track('attributes'),
  events: track('events'),
  purchases: track('purchases'),
  deletes: {
    op: 'users.delete',
    most: 50,
    oneByOne: true,
    mixes: false,
    list: (by) => deletedBy[by].list,
    body: (entries, by) => ({ [deletedBy[by].list]: entries.map(deletedBy[by].entry) }),
    entriesIn: deletionsIn,
    fine: new Set(['no_such_user', 'merged', 'deleted']),
  },
  subscription_states: {
    op: 'subscription.status.set.v2',
    most: 50,
    oneByOne: false,
    mixes: false,
    list: (by) => groupMember[by],
    body: (entries, by) => ({ subscription_groups: entries.map((entry) => groupOf(entry, by)) }),
    entriesIn: groupsIn,
    fine: new Set(),
  },
};
