// Expensive requests that were found before: each later version is tried with them.
import type { Genome } from './genome.ts';
import { objects, removals, updates } from './palette.ts';
import { filters, heads, htmlOf, pageOf, roads, seedsOfRoad, sender } from './roads.ts';
import { addingEmails } from './seeds.ts';
import { bigPeople, bigUsers, sharers } from './steps.ts';
import { objectWith, type Term, termOf, text } from './term.ts';

export interface Found extends Genome {
  /** The number of the weakness that it shows where there are no bounds. */
  weakness: number;
  /** Left out of a short trial: it takes long. */
  isLong?: true;
}

/** On a road of messaging: with other parts than the seed of this title, from which it comes. */
const onRoad = (road: string, from: string, more: Omit<Found, 'operation'>): Found => {
  const seed = roads.flatMap(seedsOfRoad).find((one) => one.road === road && one.title === from);
  if (!seed) throw new Error(`the road ${road} has no seed "${from}"`);
  return { ...seed, ...more };
};

const listed = (lists: number, value: Term): Term => ({
  object: { external_id: text('listed-{n}') },
  more: [{ name: 'k{i}', value, count: lists }],
});

const person = text('p{n}-{i}');
const time = '2026-01-31T12:00:00Z';

/** Of as many people as a step makes. */
const fifteen = (one: Term): Term => ({ list: one, count: 15 });

const shared = { email: 'shared{n}@example.com', first_name: 'Ada' };

export const foundBefore: readonly Found[] = [
  {
    weakness: 1,
    title: 'objects are set, then removed',
    operation: 'users.track',
    body: objectWith({
      attributes: {
        row: [listed(4, objects(8_000)), listed(4, objectWith({ $remove: removals(2_000) }))],
      },
    }),
  },
  {
    weakness: 1,
    isLong: true,
    title: 'objects are set, then changed',
    operation: 'users.track',
    body: objectWith({
      attributes: { row: [listed(8, objects(8_000)), listed(8, objectWith({ $update: updates(1_200) }))] },
    }),
  },
  {
    weakness: 2,
    isLong: true,
    title: 'fifteen big people get an alias',
    operation: 'users.alias.new',
    before: [bigPeople(3)],
    body: objectWith({
      user_aliases: fifteen(objectWith({ external_id: person, alias_name: 'a{n}-{i}', alias_label: 'crm' })),
    }),
  },
  {
    weakness: 2,
    title: 'one attribute, event or purchase each of forty-five big people',
    operation: 'users.track',
    before: [bigPeople(7), bigPeople(7, 'p', 'more'), bigPeople(3, 'q'), bigPeople(3, 'r')],
    body: objectWith({
      attributes: fifteen(objectWith({ external_id: person, k: { raw: '1' } })),
      events: fifteen(objectWith({ external_id: 'q{n}-{i}', name: 'x', time })),
      purchases: fifteen(
        objectWith({
          external_id: 'r{n}-{i}',
          product_id: 'x',
          currency: 'EUR',
          price: { raw: '1' },
          time,
        }),
      ),
    }),
  },
  {
    weakness: 2,
    title: 'fifty deletions by an email of 3,000 people',
    operation: 'users.delete',
    before: [sharers(3, shared)],
    body: objectWith({
      email_addresses: {
        list: objectWith({
          email: shared.email,
          prioritization: termOf(['identified', 'most_recently_updated']),
        }),
        count: 50,
      },
    }),
  },
  {
    weakness: 2,
    isLong: true,
    title: 'an export by an email of 2,000 people',
    operation: 'users.export.ids',
    before: [sharers(2, shared)],
    body: termOf({
      email_address: shared.email,
      fields_to_export: [
        ...['external_id', 'email', 'first_name', 'custom_attributes', 'custom_events', 'purchases'],
        ...['created_at', 'devices'],
      ],
    }),
  },
  {
    weakness: 2,
    isLong: true,
    title: 'merges of big people',
    operation: 'users.merge',
    before: [bigPeople(2)],
    body: objectWith({
      merge_updates: fifteen(
        objectWith({
          identifier_to_merge: objectWith({ external_id: person }),
          identifier_to_keep: objectWith({ external_id: person }),
        }),
      ),
    }),
  },
  {
    weakness: 2,
    isLong: true,
    title: 'fifteen big people subscribe',
    operation: 'subscription.status.set',
    before: [bigPeople(3)],
    body: objectWith({
      subscription_group_id: 'demo-news',
      subscription_state: 'subscribed',
      external_id: fifteen(person),
    }),
  },
  {
    weakness: 3,
    title: '49 empty entries and an idempotency key',
    operation: 'users.track',
    headers: { 'idempotency-key': 'key-{n}-{t}' },
    body: termOf({ attributes: [{ external_id: 'kept' }, ...Array(49).fill({})] }),
  },
  {
    weakness: 4,
    title: 'a body of distinct names',
    operation: 'users.track',
    body: { object: {}, more: [{ name: 'k{i}', value: { raw: '1' }, count: 500_000 }] },
  },
  {
    weakness: 4,
    title: '5.8 MB of objects with names of their own',
    operation: 'users.track',
    body: objectWith({ unknown: { list: termOf({ 'k{i}': 1, 'l{i}': 2 }), count: 250_000 } }),
  },
  {
    weakness: 4,
    title: '70 KB of objects with a name of their own',
    operation: 'users.track',
    body: objectWith({ unknown: { list: termOf({ 'k{i}': 1 }), count: 1_500 }, rest: text('x', 50_000) }),
  },
  {
    weakness: 4,
    title: 'short texts that differ',
    operation: 'users.track',
    body: objectWith({ unknown: { list: text('{i}'), count: 600_000 } }),
  },
  {
    weakness: 5,
    title: 'large bodies',
    operation: 'users.track',
    senders: 150,
    heldBack: true,
    body: objectWith({ unknown: text('x', 5_900_000) }),
  },
  {
    weakness: 6,
    title: 'a hundred comparisons with each of 980 emails of 20 users',
    operation: 'scim.users.list',
    before: [bigUsers(20, 980)],
    query: {
      count: text('200'),
      filter: {
        joined: [
          text('userName sw "u{n}" and ('),
          text('emails.value co "z" or ', 99),
          text('emails.value co "z")'),
        ],
      },
    },
  },
  {
    weakness: 6,
    title: '1,000 operations of three emails each',
    operation: 'scim.users.change',
    params: { id: '{id}' },
    before: [bigUsers(1, 1)],
    body: addingEmails(3),
  },
  onRoad('forms', 'a form', {
    weakness: 7,
    title: 'forms that never come',
    senders: 64,
    heldBack: 'for good',
    parts: { form: text('email_global_state=subscribed', 40) },
  }),
  onRoad('patterns', 'patterns', {
    weakness: 8,
    title: 'patterns with many steps',
    parts: {
      filters: filters(20, 'about', 'matches_regex', { part: 'pattern' }),
      pattern: { joined: ['^[a-z]', '\\pL{0,400}', '[0-9]+', '$'].map((one) => text(one)) },
    },
  }),
  onRoad('audiences', 'filters', {
    weakness: 9,
    title: 'many filters over many people',
    senders: 150,
    parts: { filters: filters(99, 'k{i}', 'equals', 'silver') },
  }),
  onRoad('emails', 'a newsletter', {
    weakness: 10,
    title: 'many rules for many elements',
    parts: { html: htmlOf(50, 5_000), from: sender },
  }),
  onRoad('centers', 'a page of its own', {
    weakness: 11,
    title: 'a page of tags that do not end',
    parts: { page: pageOf(15_000) },
  }),
  onRoad('texts', 'a text', {
    weakness: 12,
    title: 'a million letters for each person',
    senders: 24,
    parts: {
      text: {
        joined: [
          ...[text('{% for i in (1..'), text('9', 3), text(') %}')],
          ...[text('слово ', 160), text('{% endfor %}')],
        ],
      },
    },
  }),
  onRoad('headers', 'a copy to whom a content block names', {
    weakness: 13,
    title: 'many copies of one email',
    parts: {
      ...heads,
      copies: text(`{{content_blocks.\${road{n}}}}`),
      text: text('copy{% increment n %}@example.com,', 256),
    },
  }),
];
