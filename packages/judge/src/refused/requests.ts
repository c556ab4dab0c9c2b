/** Requests that are refused as a whole. */
import type { EntryErrorCode } from '@roster/contract';
import { event, purchase, type RefusedRequest } from './refused.ts';

/** All of `bodies` get the same answer. */
const refused = (path: string, message: string, ...bodies: readonly unknown[]): RefusedRequest[] =>
  bodies.map((body) => ({ path, message, body }));

const because = (code: EntryErrorCode, requests: readonly RefusedRequest[]): RefusedRequest[] =>
  requests.map((request) => ({ ...request, code }));

const nothingValid = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.";
const notOne = "Exactly one object must be provided in 'attributes', 'events', or 'purchases'.";
const tooMany = 'Max Input Length Exceeded';
const tooManyOfOne = 'A single request may not contain more than 100 objects for one user.';
const refusedEvent = { events: [{ external_id: 'x', name: 'seen' }] };
const person = { external_id: 'x' };
const fields_to_export = ['email'];

export const requests: readonly RefusedRequest[] = [
  ...refused('/users/track', 'the body must be an object', [], 'hello', null, 5),
  ...refused('/users/track', nothingValid, {}, { attributes: [], events: [], purchases: [] }),
  ...refused('/users/track', 'attributes must be an array', { attributes: {} }),
  ...refused('/users/track', 'events must be an array', { events: 'x' }),
  ...refused('/users/track', 'purchases must be an array', { purchases: 5 }),
  ...refused(
    '/users/track',
    tooMany,
    { events: Array(51).fill(event) },
    {
      attributes: Array(20).fill(person),
      events: Array(20).fill(event),
      purchases: Array(11).fill(purchase),
    },
  ),
  ...refused('/users/track/sync', nothingValid, {}),
  ...refused(
    '/users/track/sync',
    notOne,
    { events: [event, event] },
    { events: [event], attributes: [person] },
  ),
  ...because('FIELD_REQUIRED', refused('/users/track/sync', nothingValid, refusedEvent)),
  ...refused('/users/track/sync', 'events must be an array', { events: {} }),
  ...refused('/users/track/bulk', tooMany, {
    events: Array.from({ length: 1001 }, (_, index) => ({ ...event, external_id: `x${index}` })),
  }),
  ...refused('/users/track/bulk', tooManyOfOne, { events: Array(101).fill(event) }),
  ...refused('/users/track/bulk', nothingValid, {}),
  ...because('FIELD_REQUIRED', refused('/users/track/bulk', nothingValid, refusedEvent)),
  ...refused('/users/export/ids', "'fields_to_export' is required", { external_ids: ['x'] }),
  ...refused('/users/export/ids', 'fields_to_export must be an array', {
    external_ids: ['x'],
    fields_to_export: 'email',
  }),
  ...refused('/users/export/ids', "'shoe_size' in 'fields_to_export' is not a field of the exported user", {
    external_ids: ['x'],
    fields_to_export: ['shoe_size'],
  }),
  ...refused('/users/export/ids', 'The max number of external_ids and aliases per request was exceeded', {
    external_ids: Array.from({ length: 51 }, (_, index) => `x${index}`),
    fields_to_export,
  }),
  ...refused('/users/export/ids', 'external_ids must be an array', { external_ids: 'x', fields_to_export }),
  ...refused('/users/export/ids', 'external_ids[0] must be a string or a whole number', {
    external_ids: [{ $ne: 1 }],
    fields_to_export,
  }),
  ...refused(
    '/users/export/ids',
    "Only one of 'device_id', 'email_address', 'phone' or 'service_id' may be sent in one request",
    { email_address: 'a@b.co', phone: '+15005550006', fields_to_export },
  ),
  ...refused('/users/export/ids', 'user_aliases[0] must be an object', {
    user_aliases: ['a'],
    fields_to_export,
  }),
  ...refused('/content_blocks/create', 'Content cannot be blank', { name: 'footer' }),
  ...refused('/content_blocks/create', 'Content must be a string', {
    name: 'footer',
    content: { html: 'x' },
  }),
  ...refused('/content_blocks/create', 'Content must be smaller than 50kb', {
    name: 'footer',
    content: 'x'.repeat(51_200),
  }),
  ...refused('/content_blocks/create', 'Content Block name can only contain alphanumeric characters', {
    name: 'my footer',
    content: 'x',
  }),
  ...refused('/content_blocks/create', 'Some tags could not be found', {
    name: 'footer',
    content: 'x',
    tags: ['footer', 'header'],
  }),
  ...refused('/content_blocks/update', 'Content Block ID cannot be blank', { content: 'x' }),
  ...refused('/content_blocks/update', 'Content Block state must be either active or draft', {
    content_block_id: 'x',
    state: 'archived',
  }),
  ...refused('/content_blocks/delete', 'force must be a boolean', { content_block_id: 'x', force: 'true' }),
];
