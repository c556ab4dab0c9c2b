/** Operations as accepted requests, in the words of the rules. */
import { type OperationId, routeOf } from '@roster/contract';
import { identityRequest } from '@roster/identity-service';
import type {
  Identifier,
  IdentityEntry,
  NamedStatement,
  PreparedRequest,
  Stamp,
  TrackEntry,
} from '@roster/profile';
import { accepted } from '@roster/testkit';
import { callOf, type Names, ref } from '../calls.ts';
import type { Operation } from '../model.ts';
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

export const identifierOf = (names: Names, who: Ref): Identifier => {
  if ('ext' in who) return { by: 'external_id', id: `${names.prefix}-${who.ext}` };
  if ('alias' in who)
    return { by: 'user_alias', label: who.alias.label, name: `${names.prefix}-${who.alias.name}` };
  if ('svc' in who) return { by: 'service_id', id: names.svcs[who.svc] ?? '' };
  const [value] = Object.values(ref(names, who));
  return 'email' in who ? { by: 'email', email: String(value) } : { by: 'phone', phone: String(value) };
};

/** Judged as by the ingress, and read as by the worker. */
const entryOf = (names: Names, operation: Operation, at: Stamp): IdentityEntry => {
  const { path, body } = callOf(names, operation);
  const op = routeOf('POST', path)?.operation.id;
  const { lists } = identityRequest(accepted(op as OperationId, body, at));
  const [entry] = Object.values(lists).flat();
  if (typeof entry !== 'object') throw new Error(`${path} has no entry: ${JSON.stringify(body)}`);
  return entry;
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
  const origin = { id: `r${place}`, at, place };
  if (operation.do === 'track')
    return { ...origin, family: 'track', body: callOf(names, operation).body as TrackBody };
  if (operation.do === 'subscribe')
    return { ...origin, family: 'subscription', statement: statementOf(names, operation) };
  return { ...origin, family: 'identity', entry: entryOf(names, operation, at) };
};
