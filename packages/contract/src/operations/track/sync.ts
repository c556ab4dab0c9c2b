/** One update that is answered after it has been applied, with what is stored now. */
import type { Static } from '@sinclair/typebox';
import { userAlias } from '../../entries/identifiers.ts';
import { example, operation } from '../../operation.ts';
import { anyObject, listOf, objectOf, objectShape, optional, text, whole } from '../../shape.ts';
import { queuedAnswer, successAnswer } from '../answers.ts';
import { refusedAs } from '../examples.ts';
import { trackRow } from './track.ts';

const sent = (what: string) => text(`${what}, when the entry was identified by it.`);

const counted = {
  first: text('Time of the first one, ISO 8601.'),
  last: text('Time of the last one, ISO 8601.'),
  count: whole('How many there are.', { minimum: 1 }),
};

const trackedUser = objectShape(
  'TrackedUser',
  'A profile after the update: the identifier that was sent, and what it was about.',
  optional({
    external_id: sent('The external id'),
    user_alias: userAlias,
    service_id: sent('The id that Roster gave the person'),
    email: sent('The email address'),
    phone: sent('The phone number, E.164'),
    custom_attributes: anyObject('All custom attributes as they are now, when an attribute object was sent.'),
    custom_events: listOf(
      objectOf('Events of a name.', { name: text('Name of the event.'), ...counted }),
      'The events of the name that was sent.',
    ),
    purchase_events: listOf(
      objectOf('Purchases of a product.', { product_id: text('Id of the product.'), ...counted }),
      'The purchases of the product that was sent.',
    ),
  }),
);

const trackSyncAnswer = successAnswer('TrackSyncAnswer', 'The update has been applied.', {
  users: listOf(
    trackedUser,
    'The person, after the update. Empty when no person was found and none was to be created.',
  ),
});

export type TrackSyncAnswer = Static<typeof trackSyncAnswer>;

export const usersTrackSync = operation({
  ...trackRow,
  id: 'users.track.sync',
  path: '/users/track/sync',
  summary: 'Record one update and see its effect',
  description:
    'Exactly one attribute object, event or purchase, as in `/users/track`. Answered after it has been applied, with what is stored now. ' +
    'An entry that is refused is answered with 400, as in `/users/track` when nothing is valid.',
  answer: 'result',
  bodyLimit: 4 * 1024 * 1024,
  limit: { pool: 'users.track.sync', requests: 500, seconds: 60 },
  mostEntries: () => 1,
  tooManyEntries: 'NOT_ONE_ENTRY',
  responses: { 201: trackSyncAnswer, 202: queuedAnswer },
  rejections: ['NO_VALID_DATA', 'NOT_ONE_ENTRY'],
  examples: [
    example('Attributes and what they are now', {
      body: { attributes: [{ external_id: 'ada', visits: { inc: 1 } }] },
      201: { users: [{ external_id: 'ada', custom_attributes: { favourite_color: 'green', visits: 8 } }] },
    }),
    example('An event and how often it happened', {
      body: { events: [{ external_id: 'ada', name: 'signed_in', time: '2026-01-31T12:00:00Z' }] },
      201: {
        users: [
          {
            external_id: 'ada',
            custom_events: [
              {
                name: 'signed_in',
                first: '2026-01-02T08:00:00.000Z',
                last: '2026-01-31T12:00:00.000Z',
                count: 12,
              },
            ],
          },
        ],
      },
    }),
    example('No person to update', {
      body: { attributes: [{ service_id: '5f1c', first_name: 'Ada' }] },
      201: { users: [] },
    }),
    example('More than one entry', {
      body: { attributes: [{ external_id: 'ada' }, { external_id: 'bob' }] },
      ...refusedAs('NOT_ONE_ENTRY'),
    }),
    example('Not applied in time', {
      body: { attributes: [{ external_id: 'ada', first_name: 'Ada' }] },
      202: { message: 'success', request_id: 'rmigxmm5blc-4f0a9c', state: 'queued' },
    }),
  ],
});
