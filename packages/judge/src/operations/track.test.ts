/** The siblings of /users/track: one update with its effect, and many at once. */

import { type OperationId, operationOf, rejectionBody } from '@roster/contract';
import { createAnswerCheck } from '../answers.ts';
import { createLateJudge } from '../judge.ts';
import { aJudgeSettings } from '../test-settings.ts';

const judge = createLateJudge();
const settings = aJudgeSettings({ suspiciousExternalIds: new Set(['null']) });
const time = '2026-01-31T12:00:00Z';
const ada = { external_id: 'ada' };
const anEvent = { ...ada, name: 'signed_in', time };
const nothingValid = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.";

const ask = (id: OperationId, body: unknown) => {
  const verdict = judge(operationOf(id), { body }, settings);
  if (verdict.ok) return { status: verdict.answer.status, body: verdict.answer.body };
  return { status: verdict.rejection.status, body: rejectionBody(verdict.rejection) };
};

/** So many people, each with so many entries. */
const entriesOf = (people: number, each: number) =>
  Array.from({ length: people * each }, (_, index) => ({ external_id: `user-${index % people}` }));

describe('users.track.sync', () => {
  const one = "Exactly one object must be provided in 'attributes', 'events', or 'purchases'.";

  it.each([
    [{ attributes: [ada] }],
    [{ events: [anEvent], attributes: [], purchases: [] }],
    [{ purchases: [{ ...ada, product_id: 'tea', currency: 'EUR', price: 1, time }], partner: 'x' }],
  ])('takes %j', (body) => {
    expect(ask('users.track.sync', body).status).toBe(201);
  });

  it.each([
    [{ attributes: [ada, ada] }, 'NOT_ONE_ENTRY', one],
    [{ attributes: [ada], events: [anEvent] }, 'NOT_ONE_ENTRY', one],
    [{ attributes: Array(60).fill(ada) }, 'NOT_ONE_ENTRY', one],
    [{}, 'NO_VALID_DATA', nothingValid],
    [{ attributes: [] }, 'NO_VALID_DATA', nothingValid],
    [{ attributes: ada }, 'BODY_INVALID', 'attributes must be an array'],
    [[], 'BODY_INVALID', 'the body must be an object'],
  ])('%# is refused: %s', (body, code, message) => {
    expect(ask('users.track.sync', body)).toEqual({ status: 400, body: { message, code } });
  });

  it('refuses the entry as /users/track does when nothing is valid', () => {
    const body = { events: [{ ...ada, time }] };
    expect(ask('users.track.sync', body)).toEqual(ask('users.track', body));
    expect(ask('users.track.sync', body)).toEqual({
      status: 400,
      body: {
        message: nothingValid,
        code: 'NO_VALID_DATA',
        errors: [{ type: "'name' is required", code: 'FIELD_REQUIRED', input_array: 'events', index: 0 }],
      },
    });
  });

  it.each([
    [201, { message: 'success', users: [] }, undefined],
    [
      201,
      {
        message: 'success',
        users: [
          {
            phone: '+12125550123',
            purchase_events: [{ product_id: 'tea', first: time, last: time, count: 2 }],
          },
        ],
      },
      undefined,
    ],
    [201, { message: 'success' }, "'users' is required"],
    [202, { message: 'success', request_id: 'r1', state: 'queued' }, undefined],
    [202, { message: 'success', request_id: 'r1', state: 'applied' }, "state must be one of 'queued'"],
    [400, { message: nothingValid, code: 'NO_VALID_DATA', errors: [] }, undefined],
  ])('documents the answer %i %j', (status, body, problem) => {
    expect(createAnswerCheck()(operationOf('users.track.sync'), status, body)).toBe(problem);
  });
});

describe('users.track.bulk', () => {
  it('takes 1,000 entries, whatever the workspace allows elsewhere', () => {
    expect(ask('users.track.bulk', { attributes: entriesOf(500, 2) })).toEqual({
      status: 201,
      body: { attributes_processed: 1000, message: 'success' },
    });
    expect(ask('users.track', { attributes: entriesOf(500, 2) }).status).toBe(400);
  });

  it('takes no more than 1,000 over all arrays', () => {
    const body = { attributes: entriesOf(1000, 1), events: [anEvent] };
    expect(ask('users.track.bulk', body)).toEqual({
      status: 400,
      body: { message: 'Max Input Length Exceeded', code: 'TOO_MANY_ENTRIES' },
    });
  });

  it('takes 100 entries of one person and not one more, however they are named', () => {
    const alias = { user_alias: { alias_name: 'n', alias_label: 'l' } };
    for (const person of [{ external_id: 5 }, alias, { service_id: 's' }, { email: 'a@example.com' }]) {
      expect(ask('users.track.bulk', { attributes: Array(100).fill(person) }).status).toBe(201);
      expect(
        ask('users.track.bulk', {
          attributes: Array(50).fill(person),
          events: Array(51).fill({ ...person, name: 'n', time }),
        }),
      ).toEqual({
        status: 400,
        body: {
          message: 'A single request may not contain more than 100 objects for one user.',
          code: 'TOO_MANY_ENTRIES_OF_ONE_USER',
        },
      });
    }
  });

  it('tells the identifiers of different people apart', () => {
    const part = (alias_label: string, alias_name: string) => ({ user_alias: { alias_label, alias_name } });
    const people = [
      part('a', 'b'),
      part('b', 'a'),
      part('a","b', ''),
      { external_id: 'a' },
      { service_id: 'a' },
    ];
    const attributes = people.flatMap((person) => Array(100).fill(person));
    expect(ask('users.track.bulk', { attributes }).status).toBe(201);
  });

  it('answers as /users/track, with what was refused', () => {
    expect(ask('users.track.bulk', { attributes: [ada, { external_id: 'null' }, 5] })).toMatchObject({
      status: 201,
      body: { attributes_processed: 1, errors: [{ index: 1 }, { index: 2, code: 'ENTRY_NOT_AN_OBJECT' }] },
    });
  });
});
