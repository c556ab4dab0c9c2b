/** Operations as accepted requests, in the words of the rules. */
import type {
  Identifier,
  IdentityEntry,
  NamedPerson,
  NamedStatement,
  PreparedRequest,
  Stamp,
  TrackEntry,
} from '@roster/profile';
import { callOf, type Names, ref } from '../calls.ts';
import type { Named, Operation } from '../model.ts';
import type { Ref } from '../state.ts';

interface Accepted {
  id: string;
  at: Stamp;
  /** The place of its operation in the history. */
  place: number;
}

export type Event = TrackEntry & { name: string };
export type Purchase = TrackEntry & { product_id: string };
type TrackBody = PreparedRequest<Event, Purchase>['body'];

export type Tracked = Accepted & { family: 'track'; body: TrackBody };
export type Identified = Accepted & { family: 'identity'; entry: IdentityEntry };
export type Subscribed = Accepted & { family: 'subscription'; statement: NamedStatement };
export type Request = Tracked | Identified | Subscribed;

type Kind<Do extends Operation['do']> = Extract<Operation, { do: Do }>;
type OfIdentity = Exclude<Operation['do'], 'track' | 'subscribe'>;

export const identifierOf = (names: Names, who: Ref): Identifier => {
  if ('ext' in who) return { by: 'external_id', id: `${names.prefix}-${who.ext}` };
  if ('alias' in who)
    return { by: 'user_alias', label: who.alias.label, name: `${names.prefix}-${who.alias.name}` };
  if ('svc' in who) return { by: 'service_id', id: names.svcs[who.svc] ?? '' };
  const [value] = Object.values(ref(names, who));
  return 'email' in who ? { by: 'email', email: String(value) } : { by: 'phone', phone: String(value) };
};

const named = (names: Names, { who, prefer = [] }: Named): NamedPerson => ({
  who: identifierOf(names, who),
  prioritization: prefer,
});

const entries: { [Do in OfIdentity]: (names: Names, operation: Kind<Do>) => IdentityEntry } = {
  'alias-new': ({ prefix }, { alias: { label, name }, ext }) => ({
    do: 'alias_new',
    label,
    name: `${prefix}-${name}`,
    ...(ext !== undefined && { external_id: `${prefix}-${ext}` }),
  }),
  'alias-update': ({ prefix }, { label, from, to }) => ({
    do: 'alias_update',
    label,
    from: `${prefix}-${from}`,
    to: `${prefix}-${to}`,
  }),
  identify: (names, { ext, visitor, merge }) => ({
    do: 'identify',
    external_id: `${names.prefix}-${ext}`,
    named: named(names, visitor),
    merges: merge,
  }),
  merge: (names, { from, into }) => ({ do: 'merge', away: named(names, from), kept: named(names, into) }),
  delete: (names, { named: about }) => ({ do: 'delete', named: named(names, about) }),
  rename: ({ prefix }, { from, to }) => ({ do: 'rename', from: `${prefix}-${from}`, to: `${prefix}-${to}` }),
  'remove-id': ({ prefix }, { ext }) => ({ do: 'remove', external_id: `${prefix}-${ext}` }),
};

const statementOf = (names: Names, { who, register, state }: Kind<'subscribe'>): NamedStatement => {
  const [[member, name] = ['', '']] = Object.entries(ref(names, who));
  const news = register === 'news';
  return {
    array: `${member}s` as NamedStatement['array'],
    name: String(name),
    group: news ? 'demo-news' : 'demo-texts',
    state: state === 'opted_in' ? 'subscribed' : state,
    channel: news ? 'email' : 'sms',
  };
};

export const requestOf = (names: Names, operation: Operation, place: number, at: Stamp): Request => {
  const accepted = { id: `r${place}`, at, place };
  if (operation.do === 'track')
    return { ...accepted, family: 'track', body: callOf(names, operation).body as TrackBody };
  if (operation.do === 'subscribe')
    return { ...accepted, family: 'subscription', statement: statementOf(names, operation) };
  const make = entries[operation.do] as (names: Names, operation: Operation) => IdentityEntry;
  return { ...accepted, family: 'identity', entry: make(names, operation) };
};
