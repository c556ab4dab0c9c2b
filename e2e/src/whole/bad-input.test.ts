/**
 * What is wrong with a request, end to end: its exact status, code and sentence, nothing stored, and the next good one is served.
 * A handful of each kind: all of them are played to the judge (packages/judge/src/refused.test.ts).
 */
import type { EntryErrorCode } from '@roster/contract';
import type { Response } from 'supertest';
import { useWorkspace } from '../shared.ts';
import { fingerprint } from '../stored.ts';

const system = useWorkspace('bad-input');

const good = { events: [{ external_id: 'bystander', name: 'seen', time: '2026-01-01' }] };
const nothingValid = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.";

/** Looks whether anything came of a refused request, and whether the next one is served as if nothing had been. */
const refused = async (path: string, body: object): Promise<Response> => {
  const before = await fingerprint(system);
  const answer = await system.insist((caller) => caller.post(path).send(body));
  expect(await fingerprint(system)).toBe(before);
  expect(answer.headers['x-request-id']).toMatch(/^x/);
  expect((await system.track(good)).body).toMatchObject({ events_processed: 1, state: 'applied' });
  return answer;
};

const time = '2026-01-01T12:00:00Z';
const purchase = { external_id: 'x', product_id: 'tea', currency: 'EUR', price: 4.5, time };

const bigger = 'must be a whole number of at most 64 bits, or have a decimal point';

interface Entry {
  title: string;
  list: 'attributes' | 'events' | 'purchases';
  entry: object;
  code: EntryErrorCode;
  sentence: string;
}

const entries: readonly Entry[] = [
  {
    title: 'a blocked external id',
    list: 'attributes',
    entry: { external_id: 'blocked' },
    code: 'BLACKLISTED_EXTERNAL_USER_ID',
    sentence: 'provided external_id is blacklisted and disallowed',
  },
  {
    title: 'nested too deeply',
    list: 'attributes',
    entry: { external_id: 'x', deep: JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) },
    code: 'ENTRY_TOO_DEEP',
    sentence: 'attributes[0] must not be nested deeper than 50 levels',
  },
  {
    title: 'a number beyond 64 bits',
    list: 'attributes',
    entry: { external_id: 2 ** 64 },
    code: 'NUMBER_OUT_OF_RANGE',
    sentence: `attributes[0].external_id ${bigger}`,
  },
  {
    title: 'half a surrogate',
    list: 'attributes',
    entry: { external_id: '\ud800' },
    code: 'TEXT_NOT_WELL_FORMED',
    sentence: 'attributes[0].external_id must be well-formed text without NUL characters',
  },
  {
    title: 'a group that the workspace does not have',
    list: 'attributes',
    entry: { external_id: 'x', subscription_groups: [{ id: 'nobodys', state: 'subscribed' }] },
    code: 'BAD_SUBSCRIPTION_GROUP_ID',
    sentence: "'subscription_group_id' must be a subscription group of the workspace",
  },
  {
    title: 'no time',
    list: 'events',
    entry: { external_id: 'x', name: 'seen' },
    code: 'FIELD_REQUIRED',
    sentence: "'time' is required",
  },
  {
    title: 'a price that is text',
    list: 'purchases',
    entry: { ...purchase, price: '12.12' },
    code: 'FIELD_INVALID',
    sentence: 'purchases[0].price must be a number',
  },
];

describe('an entry', () => {
  it.each(entries)('of $list: $title', async ({ list, entry, code, sentence }) => {
    const { status, body } = await refused('/users/track', { [list]: [entry] });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        message: nothingValid,
        code: 'NO_VALID_DATA',
        errors: [{ type: sentence, code, input_array: list, index: 0 }],
      },
    });
  });
});

describe('a refused entry among good ones', () => {
  it.each(entries)('of $list: $title', async ({ list, entry, code, sentence }) => {
    const attributes = [{ external_id: 'bystander', n: { inc: 1 } }];
    const others = { attributes, purchases: [{ ...purchase, external_id: 'bystander' }], ...good };
    const answer = await system.track({ ...others, [list]: [...others[list], entry] });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      attributes_processed: 1,
      events_processed: 1,
      purchases_processed: 1,
      errors: [{ type: sentence.replace(`${list}[0]`, `${list}[1]`), code, input_array: list, index: 1 }],
      entries: { [list]: [{}, { result: 'refused', reason: code }] },
    });
  });
});

const event = { external_id: 'x', name: 'seen', time };

const requests = [
  { path: '/users/track', title: 'a body that is an array', body: [], message: 'the body must be an object' },
  {
    path: '/users/track',
    title: '51 events',
    body: { events: Array(51).fill(event) },
    message: 'Max Input Length Exceeded',
  },
  {
    path: '/users/track/sync',
    title: 'two events',
    body: { events: [event, event] },
    message: "Exactly one object must be provided in 'attributes', 'events', or 'purchases'.",
  },
  {
    path: '/users/track/bulk',
    title: '101 events of one person',
    body: { events: Array(101).fill(event) },
    message: 'A single request may not contain more than 100 objects for one user.',
  },
  {
    path: '/users/export/ids',
    title: 'no fields',
    body: { external_ids: ['x'] },
    message: "'fields_to_export' is required",
  },
  {
    path: '/content_blocks/create',
    title: 'a tag that the workspace does not have',
    body: { name: 'footer', content: 'x', tags: ['footer', 'header'] },
    message: 'Some tags could not be found',
  },
  {
    path: '/content_blocks/delete',
    title: 'force as text',
    body: { content_block_id: 'x', force: 'true' },
    message: 'force must be a boolean',
  },
];

describe('a request', () => {
  it.each(requests)('$path: $title', async ({ path, body, message }) => {
    const answer = await refused(path, body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect(answer.body.errors).toBeUndefined();
  });
});
