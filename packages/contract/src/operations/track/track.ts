import { Type } from '@sinclair/typebox';
import { attributes } from '../../entries/attributes.ts';
import { type EventEntry, events, type PurchaseEntry, purchases } from '../../entries/occurrences.ts';
import { type EntryKind, example, operation } from '../../operation.ts';
import { awaitedOutcome } from '../../outcome-report.ts';
import { oneEach } from '../../people.ts';
import { listOf, maybe, plain, whole } from '../../shape.ts';
import type { AttributeEntry } from '../../types.ts';
import { refusedEntries, successAnswer } from '../answers.ts';
import { refusedAs, refusedEntry } from '../examples.ts';

export const MOST_ENTRIES = 1000;

const entriesOf = <Entry>(kind: EntryKind, what: string) =>
  maybe(
    plain<Entry[]>(
      listOf(
        kind.schema,
        `${what} Each is checked by itself: an invalid one is refused, the others are accepted.`,
        { maxItems: MOST_ENTRIES },
      ),
    ),
  );

const counter = (array: string) =>
  maybe(whole(`Accepted entries of \`${array}\`; absent when there are none.`, { minimum: 1 }));

/** The three arrays, in the order in which they are applied. */
export const trackEntries = [attributes, events, purchases] as const;

const trackBody = Type.Object({
  attributes: entriesOf<AttributeEntry>(attributes, 'Fields and custom attributes to set.'),
  events: entriesOf<EventEntry>(events, 'Custom events.'),
  purchases: entriesOf<PurchaseEntry>(purchases, 'Purchases.'),
});

/** Arrays keep their positions: an entry that was refused is replaced by its error code. */
export interface TrackAccepted {
  attributes?: (AttributeEntry | string)[];
  events?: (EventEntry | string)[];
  purchases?: (PurchaseEntry | string)[];
}

export const trackAnswer = successAnswer(
  'TrackAnswer',
  'Accepted: the request is on disk and will take effect exactly once.',
  {
    attributes_processed: counter('attributes'),
    events_processed: counter('events'),
    purchases_processed: counter('purchases'),
    errors: refusedEntries,
    ...awaitedOutcome,
  },
);

/** What all ways to track have in common. */
export const trackRow = {
  method: 'POST',
  tag: 'Users',
  kind: 'write',
  queue: 'track',
  success: 201,
  request: { body: trackBody },
  entries: trackEntries,
  people: { lists: { attributes: oneEach, events: oneEach, purchases: oneEach } },
} as const;

export const usersTrack = operation({
  ...trackRow,
  id: 'users.track',
  path: '/users/track',
  summary: 'Record events, purchases and attributes',
  description:
    'At most 50 entries in the three arrays together (a workspace may configure up to 1,000). Within one request attributes come first, then events, ' +
    'then purchases, each in the order given. An unknown `external_id`, `email` or `phone` creates a profile unless `_update_existing_only` is true; an unknown `user_alias` only ' +
    'when it is false, and not by an event or purchase; `service_id` never. An `email` or `phone` names the person who has it when the entry is applied; after giving it to another person, wait for that (`Prefer: wait`) before you name this person by it. Unknown members of the request are ignored, and those of an event or purchase too, with a note in the outcome. In an attribute object they are custom attributes. ' +
    'Inside its fields: `facebook`, `twitter` and `subscription_groups` leave them out, with a note; items of lists (`apps`, `devices`, ...) keep them; `current_location` refuses them.',
  answer: 'receipt',
  bodyLimit: 6 * 1024 * 1024,
  limit: { pool: 'users.track', requests: 3000, seconds: 3 },
  responses: { 201: trackAnswer },
  rejections: ['NO_VALID_DATA', 'TOO_MANY_ENTRIES'],
  examples: [
    example('One of each', {
      body: {
        attributes: [
          {
            external_id: 'ada',
            first_name: 'Ada',
            email: 'ada@example.com',
            favourite_color: 'green',
            visits: { inc: 1 },
          },
        ],
        events: [
          {
            external_id: 'ada',
            name: 'signed_in',
            time: '2026-01-31T12:00:00Z',
            properties: { device: 'phone' },
          },
        ],
        purchases: [
          {
            external_id: 'ada',
            product_id: 'tea',
            currency: 'EUR',
            price: 4.5,
            quantity: 2,
            time: '2026-01-31T12:01:00Z',
          },
        ],
      },
      201: { attributes_processed: 1, events_processed: 1, purchases_processed: 1 },
    }),
    example('Custom attributes of every kind', {
      body: {
        attributes: [
          {
            external_id: 'ada',
            favourite_color: 'green',
            height: 1.68,
            member: true,
            member_since: '2026-01-31',
            points: { inc: 5 },
            teas: ['assam', 'earl grey'],
            cities: { add: ['London'], remove: ['Paris'] },
            nickname: null,
          },
          {
            external_id: 'ada',
            _merge_objects: true,
            home: { city: 'London', rooms: 4, since: { $time: '2024-05-01T12:00:00Z' } },
            pets: [{ id: 1, name: 'Rex' }],
            books: {
              $add: [{ isbn: '9780141439518', pages: 480 }],
              $remove: [{ $identifier_key: 'isbn', $identifier_value: '9780140449136' }],
              $update: [
                {
                  $identifier_key: 'isbn',
                  $identifier_value: '9780199219766',
                  $new_object: { lent_to: 'Bob' },
                },
              ],
            },
          },
        ],
      },
      201: { attributes_processed: 2 },
    }),
    example('Consent, location and push tokens', {
      body: {
        attributes: [
          {
            external_id: 'ada',
            email_subscribe: 'opted_in',
            subscription_groups: [{ subscription_group_id: 'demo-news', subscription_state: 'subscribed' }],
            current_location: { longitude: -0.12, latitude: 51.5 },
            push_tokens: [{ app_id: 'demo-app', token: 'e1f2a3', device_id: '6f0c2b1d-9a4e' }],
          },
          { push_token_import: true, push_tokens: [{ app_id: 'demo-app', token: 'b4c5d6' }] },
        ],
      },
      201: { attributes_processed: 2 },
    }),
    example('A refused entry beside an accepted one', {
      body: {
        attributes: [
          { external_id: 'ada', email_subscribe: 'opted_in' },
          { external_id: 'bob', email_subscribe: 'perhaps' },
        ],
      },
      201: {
        attributes_processed: 1,
        message: 'success',
        errors: [
          refusedEntry(
            "'email_subscribe' must be 'subscribed', 'unsubscribed', or 'opted_in'",
            'BAD_EMAIL_SUBSCRIPTION_STATE',
            'attributes',
            1,
          ),
        ],
      },
    }),
    example('Nothing valid', {
      body: { events: [{ external_id: 'ada', time: '2026-01-31T12:00:00Z' }] },
      ...refusedAs('NO_VALID_DATA', {
        errors: [refusedEntry("'name' is required", 'FIELD_REQUIRED', 'events')],
      }),
    }),
  ],
});
