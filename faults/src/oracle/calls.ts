/** Operations as requests. Each history has names of its own, so that many can be played at the same time. */
import type { keysNamed } from '@roster/profile';
import { merging, renaming, renamingAliases } from '../harness/sayings.ts';
import { hasPart, type Named, type Operation } from './model.ts';
import type { AliasRef, Consents, Ref } from './state.ts';

export interface Call {
  path: string;
  body: Record<string, unknown>;
}

/** Of the demo workspace. */
const groups = { news: 'demo-news', texts: 'demo-texts' } as const;

/** In the future, so it counts as the time at which the request is accepted. */
const soon = (): string => new Date(Date.now() + 600_000).toISOString();

export interface Names {
  /** Stands before every name of the history. */
  prefix: string;
  phone: string;
  /** Service ids by the name of who had them in the beginning. */
  svcs: Record<string, string>;
}

const ext = ({ prefix }: Names, id: string): string => `${prefix}-${id}`;

const alias = ({ prefix }: Names, { label, name }: AliasRef) => ({
  alias_label: label,
  alias_name: `${prefix}-${name}`,
});

const email = ({ prefix }: Names, name: string): string => `${prefix}-${name}@example.com`;

/** Members that name a person in a request. */
export const ref = (names: Names, who: Ref): Parameters<typeof keysNamed>[1][number] => {
  if ('ext' in who) return { external_id: ext(names, who.ext) };
  if ('alias' in who) return { user_alias: alias(names, who.alias) };
  if ('svc' in who) return { service_id: names.svcs[who.svc] ?? '' };
  return 'email' in who ? { email: email(names, who.email) } : { phone: names.phone };
};

const named = (names: Names, { who, prefer }: Named): Record<string, unknown> => ({
  ...ref(names, who),
  ...(prefer && { prioritization: prefer }),
});

const sayings = ({ email, push, news, texts }: Consents): Record<string, unknown> => {
  const said = Object.entries({ news, texts }).flatMap(([group, state]) =>
    state === undefined
      ? []
      : [
          {
            subscription_group_id: groups[group as keyof typeof groups],
            subscription_state: state,
          },
        ],
  );
  return {
    ...(email && { email_subscribe: email }),
    ...(push && { push_subscribe: push }),
    ...(said.length > 0 && { subscription_groups: said }),
  };
};

type Kind<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

/** One attribute object. */
export const attributesOf = (names: Names, operation: Kind<'track'>): Record<string, unknown> => {
  const { who, token, may, says, email: newEmail, phone: newPhone } = operation;
  return {
    ...ref(names, who),
    ...(may !== 'usual' && { _update_existing_only: may === 'update' }),
    ...(newEmail !== undefined && { email: newEmail && email(names, newEmail) }),
    ...(newPhone !== undefined && { phone: newPhone && names.phone }),
    ...(says && sayings(says)),
    colour: token,
    visits: { inc: 1 },
  };
};

const track = (names: Names, operation: Kind<'track'>): Call => {
  const { who, token, may, parts } = operation;
  const entry = {
    ...ref(names, who),
    ...(may !== 'usual' && { _update_existing_only: may === 'update' }),
    time: soon(),
  };
  const name = `${names.prefix}-${token}`;
  const purchase = { ...entry, product_id: name, currency: 'USD', price: 1 };
  const body = {
    ...(hasPart(parts, 'attributes') && { attributes: [attributesOf(names, operation)] }),
    ...(hasPart(parts, 'event') && { events: [{ ...entry, name }] }),
    ...(hasPart(parts, 'purchase') && { purchases: [purchase] }),
  };
  return { path: '/users/track', body };
};

const subscribe = (names: Names, { who, register, state }: Kind<'subscribe'>): Call => {
  const [[member, value] = ['', '']] = Object.entries(ref(names, who));
  const group = {
    subscription_group_id: groups[register],
    subscription_state: state,
    [`${member}s`]: [value],
  };
  return { path: '/v2/subscription/status/set', body: { subscription_groups: [group] } };
};

const identify = (names: Names, { ext: id, visitor, merge }: Kind<'identify'>): Call => {
  const entry = { external_id: ext(names, id), ...named(names, visitor) };
  const list = 'alias' in visitor.who ? 'aliases' : 'email' in visitor.who ? 'emails' : 'phone_numbers';
  return {
    path: '/users/identify',
    body: { [`${list}_to_identify`]: [entry], merge_behavior: merge ? 'merge' : 'none' },
  };
};

const remove = (names: Names, { named: about }: Kind<'delete'>): Call => {
  const { who } = about;
  const body = (): Record<string, unknown> => {
    if ('ext' in who) return { external_ids: [ext(names, who.ext)] };
    if ('alias' in who) return { user_aliases: [alias(names, who.alias)] };
    if ('svc' in who) return { service_ids: [names.svcs[who.svc]] };
    return { ['email' in who ? 'email_addresses' : 'phone_numbers']: [named(names, about)] };
  };
  return { path: '/users/delete', body: body() };
};

const calls: { [Do in Operation['do']]: (names: Names, operation: Kind<Do>) => Call } = {
  track,
  subscribe,
  'alias-new': (names, { alias: one, ext: id }) => ({
    path: '/users/alias/new',
    body: {
      user_aliases: [{ ...alias(names, one), ...(id !== undefined && { external_id: ext(names, id) }) }],
    },
  }),
  'alias-update': (names, { label, from, to }) => ({
    path: '/users/alias/update',
    body: renamingAliases(label, [`${names.prefix}-${from}`, `${names.prefix}-${to}`]),
  }),
  identify,
  merge: (names, { from, into }) => ({
    path: '/users/merge',
    body: merging([named(names, from), named(names, into)]),
  }),
  delete: remove,
  rename: (names, { from, to }) => ({
    path: '/users/external_ids/rename',
    body: renaming(ext(names, from), ext(names, to)),
  }),
  'remove-id': (names, { ext: id }) => ({
    path: '/users/external_ids/remove',
    body: { external_ids: [ext(names, id)] },
  }),
};

export const callOf = (names: Names, operation: Operation): Call => {
  const make = calls[operation.do] as (names: Names, operation: Operation) => Call;
  return make(names, operation);
};
