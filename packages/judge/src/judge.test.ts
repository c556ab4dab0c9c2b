import { operationOf, rejectionBody, type TrackAccepted } from '@roster/contract';
import { createLateJudge, type Verdict } from './judge.ts';
import { event, purchase, settings } from './refused/refused.ts';

const judge = createLateJudge();
const nothingValid = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.";

const track = (body: unknown, given = settings): Verdict =>
  judge(operationOf('users.track'), { body }, given);

function accepted(verdict: Verdict) {
  if (!verdict.ok) throw new Error(JSON.stringify(rejectionBody(verdict.rejection)));
  return { ...verdict, body: verdict.accepted.body as TrackAccepted };
}

function rejected(verdict: Verdict) {
  if (verdict.ok) throw new Error(`accepted: ${JSON.stringify(verdict.accepted)}`);
  return verdict.rejection;
}

const anEvent = (more: object = {}) => ({ ...event, ...more });
const aPurchase = (more: object = {}) => ({ ...purchase, ...more });
const anAttribute = (more: object = {}) => ({ external_id: 'ada', ...more });

describe('the envelope of users.track', () => {
  it.each([
    [undefined, 'the body must be an object'],
    [null, 'the body must be an object'],
    [[], 'the body must be an object'],
    ['text', 'the body must be an object'],
    [5, 'the body must be an object'],
    [{ events: {} }, 'events must be an array'],
    [{ attributes: 'x', events: [anEvent()] }, 'attributes must be an array'],
    [{ purchases: 5 }, 'purchases must be an array'],
  ])('%j is refused as a whole', (body, message) => {
    const rejection = rejected(track(body));
    expect(rejection).toMatchObject({ code: 'BODY_INVALID', status: 400 });
    expect(rejectionBody(rejection)).toEqual({ message, code: 'BODY_INVALID' });
  });

  it.each([
    {},
    { attributes: [] },
    { attributes: [], events: [], purchases: [] },
    { attributes: null, purchases: null },
    { partner: 'x' },
  ])('%j has nothing valid in it, and no errors array', (body) => {
    expect(rejectionBody(rejected(track(body)))).toEqual({
      message: nothingValid,
      code: 'NO_VALID_DATA',
    });
  });

  it('refuses more entries than allowed, over all arrays together', () => {
    const body = {
      attributes: Array(20).fill(anAttribute()),
      events: Array(20).fill(anEvent()),
      purchases: Array(11).fill(aPurchase()),
    };
    expect(rejected(track(body))).toMatchObject({
      code: 'TOO_MANY_ENTRIES',
      status: 400,
      message: 'Max Input Length Exceeded',
    });
    expect(track({ events: Array(50).fill(anEvent()) }).ok).toBe(true);
    expect(track({ events: Array(1000).fill(anEvent()) }, { ...settings, maxUpdates: 1000 }).ok).toBe(true);
  });

  it('ignores unknown members and empty arrays', () => {
    const { body } = accepted(track({ partner: 'x', attributes: [], events: [anEvent()] }));
    expect(body).toEqual({ events: [anEvent()] });
  });
});

describe('the answer of users.track', () => {
  it('counts what was accepted, only for arrays in which something was', () => {
    const { answer, entries } = accepted(
      track({
        attributes: [anAttribute()],
        events: [anEvent(), {}, anEvent()],
        purchases: [aPurchase({ quantity: 0 })],
      }),
    );
    expect(entries).toBe(3);
    expect(answer).toEqual({
      status: 201,
      body: {
        attributes_processed: 1,
        events_processed: 2,
        message: 'success',
        errors: [
          {
            type: "'external_id', 'service_id', 'user_alias', 'email' or 'phone' is required",
            code: 'IDENTIFIER_REQUIRED',
            input_array: 'events',
            index: 1,
          },
          { type: "'quantity' is not valid", code: 'QUANTITY_INVALID', input_array: 'purchases', index: 0 },
        ],
      },
    });
  });

  it('hands on the very array that was sent when nothing in it changes', () => {
    const events = [anEvent(), anEvent()];
    expect(accepted(track({ events })).body.events).toBe(events);
  });

  it.each(['event', 'Events', 'evnets'])('asks whether %s was meant to be events', (member) => {
    const rejection = rejected(track({ [member]: [anEvent()] }));
    expect(rejection).toMatchObject({ code: 'NO_VALID_DATA', status: 400 });
    expect(rejection.message).toBe(`${nothingValid} '${member}' is not known: did you mean events?`);
  });

  it('names every refused entry when none is left', () => {
    const rejection = rejected(track({ attributes: [{}], events: [anEvent({ name: '' })] }));
    expect(rejection.message).toBe(nothingValid);
    expect(rejection.errors?.map(({ input_array, index, code }) => [input_array, index, code])).toEqual([
      ['attributes', 0, 'IDENTIFIER_REQUIRED'],
      ['events', 0, 'FIELD_INVALID'],
    ]);
  });
});

describe('the app of a push token', () => {
  const apps = ['shop-ios', 'shop-droid', 'game', 'twin-1', 'twin-2'];
  const given = {
    ...settings,
    apps: new Set(apps),
    appNames: new Map([
      [
        'Shop',
        [
          { id: 'shop-ios', platform: 'ios' },
          { id: 'shop-droid', platform: 'android' },
        ],
      ],
      ['Game', [{ id: 'game' }]],
      ['Twin', [{ id: 'twin-1' }, { id: 'twin-2' }]],
      ['game', [{ id: 'shop-ios' }]],
    ]),
  };
  const appOf = (token: object) => {
    const push_tokens = [{ token: 't', ...token }];
    const verdict = track({ attributes: [anAttribute({ push_tokens })] }, given);
    return verdict.ok && accepted(verdict).body;
  };

  it.each([
    ['its id, before a name', { app: 'game' }, 'game'],
    ['its name', { app: 'Game', platform: 'iOS' }, 'game'],
    ['its name and platform', { app: 'Shop', platform: 'iOS' }, 'shop-ios'],
    ['its name and platform', { app: 'Shop', platform: 'Android' }, 'shop-droid'],
    ['its name, for a device of Amazon', { app: 'Shop', platform: 'Fire OS' }, 'shop-droid'],
  ])('may be %s: %j', (_, token, app) => {
    expect(appOf(token)).toMatchObject({ attributes: [{ push_tokens: [{ ...token, app }] }] });
  });

  it.each([
    ['a name of no app', { app: 'Other' }],
    ['a name of several', { app: 'Twin' }],
    ['a name of several, without the platform', { app: 'Shop' }],
    ['a name of apps of other platforms', { app: 'Shop', platform: 'Web' }],
    ['a name as an id', { app_id: 'Game' }],
  ])('may not be %s', (_, token) => {
    expect(appOf(token)).toBe(false);
  });
});

describe('users.export.ids', () => {
  const ask = (body: unknown) => judge(operationOf('users.export.ids'), { body }, settings);
  const fields_to_export = ['external_id', 'email'];
  const user_aliases = (count: number) => Array(count).fill({ alias_name: 'a', alias_label: 'l' });
  const tooMany = 'The max number of external_ids and aliases per request was exceeded';
  const conflict =
    "Only one of 'device_id', 'email_address', 'phone' or 'service_id' may be sent in one request";

  it.each([
    [{ fields_to_export: undefined }, 'BODY_INVALID', "'fields_to_export' is required"],
    [
      { external_id: ['ada'] },
      'NOBODY_NAMED',
      "One of 'external_ids', 'user_aliases', 'device_id', 'service_id', 'email_address', 'phone' is required. 'external_id' is not known: did you mean external_ids?",
    ],
    [{ fields_to_export: 'email' }, 'BODY_INVALID', 'fields_to_export must be an array'],
    [{ fields_to_export: [5] }, 'BODY_INVALID', 'fields_to_export[0] must be a string'],
    [
      { fields_to_export: ['email', 'shoe_size'], external_ids: ['a'] },
      'FIELD_NOT_EXPORTABLE',
      "'shoe_size' in 'fields_to_export' is not a field of the exported user",
    ],
    [
      { fields_to_export: ['first_nme'], external_ids: ['a'] },
      'FIELD_NOT_EXPORTABLE',
      "'first_nme' in 'fields_to_export' is not a field of the exported user: did you mean first_name?",
    ],
    ...[{}, { external_ids: [] }, { external_ids: [], user_aliases: [], phone: null }].map(
      (names): [object, string, string] => [
        names,
        'NOBODY_NAMED',
        "One of 'external_ids', 'user_aliases', 'device_id', 'service_id', 'email_address', 'phone' is required",
      ],
    ),
    [{ external_ids: 'ada' }, 'BODY_INVALID', 'external_ids must be an array'],
    [{ external_ids: [''] }, 'BODY_INVALID', 'external_ids[0] must not be empty'],
    [{ external_ids: [{ $ne: 1 }] }, 'BODY_INVALID', 'external_ids[0] must be a string or a whole number'],
    [{ user_aliases: ['a'] }, 'BODY_INVALID', 'user_aliases[0] must be an object'],
    [{ user_aliases: [{ alias_name: 'a' }] }, 'BODY_INVALID', "'user_aliases[0].alias_label' is required"],
    [
      { user_aliases: [{ alias_name: 'a', alias_label: 5 }] },
      'BODY_INVALID',
      'user_aliases[0].alias_label must be a string',
    ],
    [{ external_ids: Array(51).fill('a') }, 'TOO_MANY_IDENTIFIERS', tooMany],
    [{ user_aliases: user_aliases(51) }, 'TOO_MANY_IDENTIFIERS', tooMany],
    [{ phone: '+12125550123', email_address: 'a@example.com' }, 'IDENTIFIERS_CONFLICT', conflict],
    [{ device_id: 'd', service_id: 's' }, 'IDENTIFIERS_CONFLICT', conflict],
    [{ external_ids: Array(26).fill('a'), user_aliases: user_aliases(25) }, 'TOO_MANY_IDENTIFIERS', tooMany],
  ])('%# is refused: %s', (body, code, message) => {
    expect(rejected(ask({ fields_to_export, ...body }))).toMatchObject({ status: 400, code, message });
  });

  it('asks whether a misspelt member was meant to be the one that is missing', () => {
    expect(rejected(ask({ external_ids: ['ada'], field_to_export: ['email'] })).message).toBe(
      "'fields_to_export' is required. 'field_to_export' is not known: did you mean fields_to_export?",
    );
  });

  it('takes 50 names over both lists', () => {
    const external_ids = Array(25).fill('a');
    expect(ask({ fields_to_export, external_ids, user_aliases: user_aliases(25) }).ok).toBe(true);
  });

  it('hands on what is declared, ids as texts and a phone as it was sent', () => {
    const verdict = ask({ fields_to_export, external_ids: ['a', 5], phone: '212 555 0123', partner: 'x' });
    expect(verdict).toMatchObject({
      ok: true,
      entries: 1,
      accepted: { body: { fields_to_export, external_ids: ['a', '5'], phone: '212 555 0123' } },
    });
    expect(verdict.ok && verdict.accepted.body).not.toHaveProperty('partner');
  });
});

describe('requests.read', () => {
  it('hands on the id and ignores everything else', () => {
    const sent = { params: { id: 'r1', other: 'x' }, query: { a: 'b' }, body: [] };
    const verdict = judge(operationOf('requests.read'), sent, settings);
    expect(verdict.ok && verdict.accepted).toEqual({ params: { id: 'r1' } });
  });

  it('refuses a parameter out of bounds', () => {
    const verdict = judge(operationOf('requests.read'), { params: { id: 'r'.repeat(256) } }, settings);
    expect(rejected(verdict)).toMatchObject({
      code: 'PARAMETER_INVALID',
      message: 'id must not be longer than 255 characters',
    });
  });
});
