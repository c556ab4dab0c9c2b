import { type JsonObject, listAt, type OperationId, operationOf, operations } from '@roster/contract';
import { createLateJudge, type Verdict } from '../judge.ts';
import { aJudgeSettings } from '../test-settings.ts';

const judge = createLateJudge();
const settings = aJudgeSettings({ blockedExternalIds: new Set(['dummy']) });

const ask = (id: OperationId, body: unknown): Verdict => judge(operationOf(id), { body }, settings);

const messageOf = (verdict: Verdict): string => (verdict.ok ? 'accepted' : verdict.rejection.message);
const bodyOf = (verdict: Verdict): unknown => {
  if (!verdict.ok) throw new Error(verdict.rejection.message);
  return verdict.accepted.body;
};

describe('users.merge', () => {
  const pair = (more: object = {}) => ({
    identifier_to_merge: { external_id: 'a' },
    identifier_to_keep: { external_id: 'b' },
    ...more,
  });
  const merge = (...merge_updates: unknown[]): Verdict => ask('users.merge', { merge_updates });

  const notAnArray = "'merge_updates' must be an array of objects";
  const tooMany = 'a single request may not contain more than 50 merge updates';
  const notAPair = "'merge_updates' must only have 'identifier_to_merge' and 'identifier_to_keep'";
  const invalid =
    "identifiers must be objects with an 'external_id' property that is a string, 'user_alias' property that is an object, or 'email' property that is a string";

  it.each([
    [{}, notAnArray],
    [{ merge_updates: null }, notAnArray],
    [{ merge_updates: {} }, notAnArray],
    [{ merge_updates: 'x' }, notAnArray],
    [{ merge_updates: ['x'] }, notAnArray],
    [{ merge_updates: [pair(), null] }, notAnArray],
    [{ merge_updates: Array(51).fill(pair()) }, tooMany],
    [{ merge_updates: [pair({ prioritization: [] })] }, notAPair],
    [{ merge_updates: [{ identifier_to_merge: { external_id: 'a' } }] }, notAPair],
    [{ merge_updates: [{}] }, notAPair],
    [{ merge_updates: [pair({ identifier_to_keep: 'b' })] }, invalid],
    [{ merge_updates: [pair({ identifier_to_keep: {} })] }, invalid],
    [{ merge_updates: [pair({ identifier_to_keep: { external_id: 5 } })] }, invalid],
    [{ merge_updates: [pair({ identifier_to_keep: { user_alias: 'x' } })] }, invalid],
    [{ merge_updates: [pair({ identifier_to_keep: { email: 5 } })] }, invalid],
    [{ merge_updates: [pair({ identifier_to_keep: { phone: 5 } })] }, invalid],
    [{ merge_updates: [pair({ identifier_to_keep: { external_id: 'b', user_alias: {} } })] }, invalid],
  ])('%# is refused in the words of the interface', (body, message) => {
    const verdict = ask('users.merge', body);
    expect(messageOf(verdict)).toBe(message);
    expect(!verdict.ok && verdict.rejection.status).toBe(400);
  });

  it.each([
    [{ email: 'a@example.com' }, "merge_updates[0].identifier_to_keep must have a 'prioritization' array"],
    [{ phone: '+12125550123' }, "merge_updates[0].identifier_to_keep must have a 'prioritization' array"],
    [
      { email: 'a@example.com', prioritization: ['identified', 'unidentified'] },
      "merge_updates[0].identifier_to_keep.prioritization must not hold both 'identified' and 'unidentified'",
    ],
    [
      { external_id: 'a\0' },
      'merge_updates[0].identifier_to_keep must be well-formed text without NUL characters',
    ],
    [
      { user_alias: { alias_name: 'x' } },
      "'merge_updates[0].identifier_to_keep.user_alias.alias_label' is required",
    ],
  ])('%j is refused', (identifier_to_keep, message) => {
    expect(messageOf(merge(pair({ identifier_to_keep })))).toBe(message);
  });

  it('counts its updates as its work, and hands them on in their canonical form', () => {
    const verdict = merge(
      ...Array(49).fill(pair()),
      pair({ identifier_to_keep: { phone: '212 555 0123', prioritization: ['unidentified'] } }),
    );
    expect(verdict).toMatchObject({
      ok: true,
      entries: 50,
      answer: { status: 202, body: { message: 'success' } },
    });
    expect(bodyOf(verdict)).toHaveProperty('merge_updates[49].identifier_to_keep.phone', '+12125550123');
  });

  it('takes a person who may not be written to', () => {
    expect(merge(pair({ identifier_to_merge: { external_id: 'dummy' } })).ok).toBe(true);
  });
});

describe('a list of at most 50', () => {
  const lists = operations.flatMap(({ id, queue, entries = [], examples }) =>
    (queue === 'identity' ? entries : []).flatMap(({ array }) => {
      const sent = examples.flatMap(({ request }) => listAt(request.body as JsonObject, array));
      return sent.slice(0, 1).map((entry) => ({ id, array, entry }));
    }),
  );

  it.each(lists)('$id: $array', ({ id, array, entry }) => {
    const asked = (count: number) => ask(id, { [array]: Array(count).fill(entry) });
    expect(asked(50)).toMatchObject({ ok: true, entries: 50 });
    expect(messageOf(asked(51))).toBe(
      id === 'users.delete' ? 'The max number of ids per request was exceeded' : 'Max Input Length Exceeded',
    );
  });

  it('is tried of every operation that has one', () =>
    expect(new Set(lists.map(({ id }) => id)).size).toBe(6));
});

describe('users.identify', () => {
  it.each([
    [{}, "One of 'aliases_to_identify', 'emails_to_identify' or 'phone_numbers_to_identify' is required"],
    [{ aliases_to_identify: {} }, 'aliases_to_identify must be an array'],
    [
      { aliases_to_identify: [], merge_behavior: 'all' },
      "merge_behavior must be one of 'none', 'merge', null",
    ],
  ])('%j is refused', (body, message) => {
    expect(messageOf(ask('users.identify', body))).toBe(message);
  });

  it('hands on what is accepted, the behaviour, and what was refused', () => {
    const user_alias = { alias_name: 'n', alias_label: 'l' };
    const verdict = ask('users.identify', {
      aliases_to_identify: [{ external_id: 5, user_alias }, { user_alias }],
      emails_to_identify: [
        { external_id: 'a', email: 'a@example.com', prioritization: ['identified', 'unidentified'] },
        { external_id: 'a', email: 'a@example.com' },
        { external_id: 'dummy', email: 'a@example.com', prioritization: [] },
        { external_id: 'a', email: 'a@example.com', prioritization: ['newest'] },
      ],
      merge_behavior: 'merge',
    });
    expect(verdict).toMatchObject({ ok: true, entries: 1 });
    const errors = [
      ['aliases_to_identify', 1, 'FIELD_REQUIRED'],
      ['emails_to_identify', 0, 'PRIORITIZATION_INVALID'],
      ['emails_to_identify', 1, 'FIELD_REQUIRED'],
      ['emails_to_identify', 2, 'BLACKLISTED_EXTERNAL_USER_ID'],
      ['emails_to_identify', 3, 'PRIORITIZATION_INVALID'],
    ];
    expect(bodyOf(verdict)).toEqual({
      aliases_to_identify: [{ external_id: '5', user_alias }, 'FIELD_REQUIRED'],
      emails_to_identify: errors.slice(1).map(([, , code]) => code),
      merge_behavior: 'merge',
      errors: errors.map(([input_array, index, code]) => ({
        type: expect.any(String),
        code,
        input_array,
        index,
      })),
    });
  });
});

describe('users.delete', () => {
  it('hands on every id as an object, and refuses by itself what is none', () => {
    const body = bodyOf(ask('users.delete', { external_ids: ['a', 5, '', 'dummy', null], service_ids: [] }));
    expect(body).toMatchObject({
      external_ids: [
        { external_id: 'a' },
        { external_id: '5' },
        'FIELD_INVALID',
        { external_id: 'dummy' },
        'FIELD_INVALID',
      ],
      errors: [
        { type: 'external_ids[2] must not be empty', input_array: 'external_ids', index: 2 },
        { input_array: 'external_ids', index: 4 },
      ],
    });
  });

  it.each([
    [
      {},
      "One of 'external_ids', 'user_aliases', 'service_ids', 'email_addresses' or 'phone_numbers' is required",
    ],
    [
      { external_ids: ['a'], user_aliases: [{ alias_name: 'a', alias_label: 'l' }] },
      "Only one of 'external_ids', 'user_aliases', 'service_ids', 'email_addresses' or 'phone_numbers' may be sent in one request",
    ],
    [{ external_ids: 'a' }, 'external_ids must be an array'],
  ])('%j is refused', (body, message) => {
    expect(messageOf(ask('users.delete', body))).toBe(message);
  });
});

describe('external ids', () => {
  it.each<[OperationId, object, string]>([
    ['users.external_ids.rename', { external_id_renames: [] }, "'external_id_renames' must not be empty"],
    ['users.external_ids.rename', {}, "'external_id_renames' is required"],
    ['users.external_ids.remove', { external_ids: [] }, "'external_ids' must not be empty"],
  ])('%s: %j is refused', (id, body, message) => {
    expect(messageOf(ask(id, body))).toBe(message);
  });

  it('numbers are their texts', () => {
    const body = { external_id_renames: [{ current_external_id: 1, new_external_id: 2 }] };
    expect(bodyOf(ask('users.external_ids.rename', body))).toEqual({
      external_id_renames: [{ current_external_id: '1', new_external_id: '2' }],
    });
  });
});
