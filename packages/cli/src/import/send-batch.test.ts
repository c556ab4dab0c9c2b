import type { Answer, Outcome } from './answer.ts';
import type { Batch, NameItem } from './batches.ts';
import { sendBatch } from './send-batch.ts';
import { nothingSent } from './sent.ts';
import { aBatch, alias, former, named, ok } from './testbed.ts';
import type { Sending, TrackClient } from './track-client.ts';

const attributes = (...ids: string[]) => aBatch(ids.map((id) => ['attributes', { external_id: id }]));
const error = (input_array: string, index: number) => ({ type: 'no', code: 'NO', input_array, index });

/** Answers by rule, and remembers what it was asked. */
const server = (
  rule: (json: string) => Answer,
  { denied = [], judge = () => ok }: { denied?: string[]; judge?: (sending: Sending) => Answer } = {},
) => {
  const calls: Sending[] = [];
  const client: TrackClient = {
    async send(sending) {
      calls.push(sending);
      return sending.path === '/users/track' ? rule(sending.json) : judge(sending);
    },
    known: async () => () => true,
    may: async (path) => !denied.includes(path),
  };
  return { calls, client };
};

describe('a batch', () => {
  it('is one request', async () => {
    const { calls, client } = server(() => ok);
    const sent = { ...nothingSent, requests: 1, accepted: 2, unknown: 2 };
    expect(await sendBatch(attributes('a', 'b'), { client })).toEqual(sent);
    expect(calls).toHaveLength(1);
  });

  it('is waited for until it is applied when an alias or contact names the person', async () => {
    const { calls, client } = server(() => ok);
    const email = 'a@example.com';
    for (const who of [
      { external_id: 'a', email },
      { service_id: 's' },
      { email },
      { user_alias: named('a') },
    ])
      await sendBatch(aBatch([['attributes', who]]), { client });
    expect(calls.map(({ until }) => until)).toEqual(['kept', 'kept', 'applied', 'applied']);
  });

  it('without entries is none', async () => {
    const { calls, client } = server(() => ok);
    expect(await sendBatch(attributes(), { client })).toMatchObject({ requests: 0, accepted: 0 });
    expect(calls).toEqual([]);
  });

  it('has the same key when it is sent again, and another one elsewhere, or in another run', async () => {
    const { calls, client } = server(() => ok);
    const batch = attributes('a');
    for (const again of [batch, batch, { ...batch, start: 101 }, { ...batch, part: 1 }])
      await sendBatch(again, { client });
    await sendBatch(batch, { client, run: 'again' });
    await sendBatch(attributes('b'), { client });
    const keys = calls.map(({ idempotencyKey = '' }) => idempotencyKey);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(5);
    expect(keys.every((key) => /^[\x20-\x7e]{1,255}$/.test(key))).toBe(true);
  });

  it('tells the line of each entry that was refused, and what it was', async () => {
    const batch = aBatch([
      ['events', { external_id: 'a' }],
      ['attributes', { external_id: 'b' }],
      ['events', { external_id: 'c' }],
    ]);
    const { client } = server(() => ({ ...ok, errors: [error('events', 1), error('attributes', 0)] }));
    expect(await sendBatch(batch, { client })).toEqual({
      ...nothingSent,
      requests: 1,
      accepted: 1,
      unknown: 1,
      lost: [
        { line: 2, code: 'NO', sentence: 'no', row: { external_id: 'b' } },
        { line: 3, code: 'NO', sentence: 'no', row: { type: 'event', external_id: 'c' } },
      ],
    });
  });

  it('that was waited for tells which entries were ignored, and why, and what was ignored inside of others', async () => {
    const fate = (result: string, reason = '') => ({ result, reason });
    const outcome: Outcome = {
      state: 'applied',
      reason: '',
      entries: {
        attributes: [fate('created'), fate('refused', 'NO')],
        events: [fate('ignored', 'no_such_user'), fate('updated'), fate('ignored', 'something_new')],
      },
      notes: ['phone: not_normalized'],
    };
    const { calls, client } = server(() => ({ ...ok, errors: [error('attributes', 1)], outcome }));
    const batch = aBatch([
      ['attributes', { external_id: 'a' }],
      ['events', { external_id: 'b' }],
      ['attributes', { external_id: 'c' }],
      ['events', { external_id: 'd' }],
      ['events', { external_id: 'e' }],
    ]);
    expect(await sendBatch(batch, { client, isWaiting: true })).toEqual({
      ...nothingSent,
      requests: 1,
      accepted: 2,
      lost: [
        {
          line: 2,
          code: 'IGNORED',
          reason: 'no_such_user',
          sentence: expect.stringContaining('no person has'),
          row: { type: 'event', external_id: 'b' },
        },
        { line: 3, code: 'NO', sentence: 'no', row: { external_id: 'c' } },
        expect.objectContaining({ line: 5, reason: 'something_new', sentence: 'something_new' }),
      ],
      notes: ['phone: not_normalized'],
    });
    expect(calls).toMatchObject([{ until: 'applied' }]);
  });

  it('that failed has nothing but refusals, each with the reason', async () => {
    const outcome: Outcome = { state: 'failed', reason: 'crash', entries: {}, notes: [] };
    const { client } = server(() => ({ ...ok, errors: [error('attributes', 1)], outcome }));
    expect(await sendBatch(attributes('a', 'b'), { client })).toMatchObject({
      accepted: 0,
      unknown: 0,
      lost: [{ line: 1, code: 'NOT_APPLIED', sentence: 'could not be applied: crash' }, { code: 'NO' }],
    });
  });

  it('of which nothing is valid has only refusals', async () => {
    const { client } = server(() => ({ status: 400, message: 'x', errors: [error('attributes', 0)] }));
    const sent = await sendBatch(attributes('a'), { client });
    expect(sent).toMatchObject({ accepted: 0, lost: [{ line: 1 }] });
  });

  it.each([
    [400, 'BODY_REFUSED'],
    [413, 'BODY_TOO_LARGE'],
  ])('that is refused as a whole with %s for one entry loses only that one', async (status, code) => {
    const { client, calls } = server((json) =>
      json.includes('bad') ? { status, message: 'too deep', errors: [] } : ok,
    );
    const sent = await sendBatch(attributes('a', 'b', 'bad', 'd', 'e'), { client });
    expect(sent).toMatchObject({ accepted: 4, lost: [{ line: 3, code, sentence: 'too deep' }] });
    expect(sent.requests).toBe(calls.length);
    expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(calls.length);
  });

  it.each([
    [401, 'Invalid API key', /401 Invalid API key.*ROSTER_API_KEY/],
    [403, 'Access Denied', /users\.track/],
    [404, 'Invalid URL', /is this the address of a Roster/],
    [422, 'used', /422 used/],
    [400, 'Max Input Length Exceeded', /fewer than 2 entries.*--batch-size/],
  ])('ends the import after %s %s', async (status, message, sentence) => {
    const { client } = server(() => ({ status, message, errors: [] }));
    await expect(sendBatch(attributes('a', 'b'), { client })).rejects.toThrow(sentence);
  });
});

describe('further names', () => {
  const withNames = (names: NameItem[], batch = attributes('a', 'b')): Batch => ({ ...batch, names });
  const bodies = (calls: Sending[]) => calls.map(({ path, json }) => [path, JSON.parse(json)]);

  it('are aliases that are sent after their people, fifty at a time, under keys of their own', async () => {
    const { calls, client } = server(() => ok);
    const names = Array.from({ length: 60 }, (_, n) => alias(1, { external_id: 'a', ...named(`${n}`) }));
    const sent = await sendBatch(withNames(names), { client });
    expect(calls.map(({ path }) => path)).toEqual(['/users/track', '/users/alias/new', '/users/alias/new']);
    const lists = bodies(calls.slice(1)).map(([, body]) => body.user_aliases);
    expect([lists[0].length, lists[1].length]).toEqual([50, 10]);
    expect(lists[0][0]).toEqual({ external_id: 'a', ...named('0') });
    expect(sent).toEqual({ ...nothingSent, requests: 3, accepted: 62, unknown: 2 });
    const again = server(() => ok);
    await sendBatch(withNames(names), { client: again.client });
    expect(again.calls).toEqual(calls);
    expect(new Set(calls.slice(1).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });

  it('of another person are refused, and lead to no merge', async () => {
    const names = ['x', 'y'].map((name, n) => alias(n + 1, { user_alias: named('a'), ...named(name) }));
    const judge = ({ path }: Sending) =>
      path === '/users/alias/new' ? { ...ok, errors: [error('user_aliases', 0)] } : ok;
    const { calls, client } = server(() => ok, { judge });
    const sent = await sendBatch(withNames(names, attributes()), { client });
    expect(bodies(calls)).toEqual([
      ['/users/alias/new', { user_aliases: [named('x'), named('y')] }],
      [
        '/users/merge',
        {
          merge_updates: [
            {
              identifier_to_merge: { user_alias: named('y') },
              identifier_to_keep: { user_alias: named('a') },
            },
          ],
        },
      ],
    ]);
    expect(calls.map(({ until }) => until)).toEqual(['result', 'applied']);
    expect(sent).toMatchObject({
      accepted: 1,
      lost: [{ line: 1, code: 'NO', row: { type: 'alias', user_alias: named('a'), alias_name: 'x' } }],
    });
  });

  const ignored = [{ result: 'ignored', reason: 'same_user' }];
  it.each<[string, Outcome]>([
    ['ignored', { state: 'applied', reason: '', entries: { merge_updates: ignored }, notes: [] }],
    ['not applied', { state: 'failed', reason: 'crash', entries: {}, notes: [] }],
  ])('of which the merge was %s are refused', async (_, outcome) => {
    const judge = ({ path }: Sending) => (path === '/users/merge' ? { ...ok, status: 202, outcome } : ok);
    const { client } = server(() => ok, { judge });
    const names = [alias(1, { user_alias: named('a'), ...named('x') })];
    expect(await sendBatch(withNames(names, attributes()), { client })).toMatchObject({
      accepted: 0,
      lost: [{ line: 1, row: { type: 'alias', user_alias: named('a'), alias_name: 'x' } }],
    });
  });

  it('are not sent for a person with a refused entry', async () => {
    const { calls, client } = server(() => ({ ...ok, errors: [error('attributes', 1)] }));
    const names = [1, 2].map((line) => alias(line, { external_id: `${line}`, ...named(`${line}`) }));
    const sent = await sendBatch(withNames(names), { client });
    expect(bodies(calls)[1]).toEqual([
      '/users/alias/new',
      { user_aliases: [{ external_id: '1', ...named('1') }] },
    ]);
    expect(sent).toMatchObject({
      accepted: 2,
      lost: [{ code: 'NO' }, { line: 2, code: 'PERSON_REFUSED' }],
    });
  });

  it('that are former external ids come first, the oldest id before all', async () => {
    const judge = ({ path }: Sending) =>
      path === '/users/external_ids/rename' ? { ...ok, errors: [error('external_id_renames', 2)] } : ok;
    const { calls, client } = server(() => ok, { judge });
    const sent = await sendBatch(withNames([former(1, 'a', 'a1', 'a2'), former(2, 'b', 'b1')]), { client });
    expect(bodies(calls.slice(0, 2))).toEqual([
      ['/users/track', { attributes: [{ external_id: 'a1' }, { external_id: 'b1' }] }],
      [
        '/users/external_ids/rename',
        {
          external_id_renames: [
            { current_external_id: 'a1', new_external_id: 'a2' },
            { current_external_id: 'a2', new_external_id: 'a' },
            { current_external_id: 'b1', new_external_id: 'b' },
          ],
        },
      ],
    ]);
    expect(calls[1]?.until).toBe('result');
    expect(calls).toHaveLength(3);
    expect(sent).toMatchObject({
      accepted: 3,
      lost: [{ line: 2, row: { type: 'user', external_id: 'b', former_external_ids: ['b1'] } }],
    });
  });

  it.each([
    ['/users/alias/new', ['user_aliases', 'user_aliases'], ['/users/external_ids/rename']],
    ['/users/merge', ['further user_aliases'], ['/users/external_ids/rename', '/users/alias/new']],
    ['/users/external_ids/rename', ['former_external_ids'], ['/users/alias/new', '/users/merge']],
  ])(
    'are left out when the key may not use %s, and no person is created in vain',
    async (path, leftOut, used) => {
      const { calls, client } = server(() => ok, { denied: [path] });
      const names = [
        former(1, 'a', 'a1'),
        alias(1, { external_id: 'a', ...named('x') }),
        alias(2, { user_alias: named('z'), ...named('y') }),
      ];
      const sent = await sendBatch(withNames(names), { client });
      expect(sent.leftOut.map(({ name }) => name)).toEqual(leftOut);
      expect(calls.map((call) => call.path).filter((one) => one !== '/users/track')).toEqual(used);
      expect(sent.accepted).toBe(2 + 3 - leftOut.length);
      expect(JSON.stringify(calls).includes('a1')).toBe(path !== '/users/external_ids/rename');
    },
  );

  it('end the import when they are not answered, so that it goes on before them', async () => {
    const { client } = server(() => ok, { judge: () => ({ status: 404, message: 'x', errors: [] }) });
    const names = [alias(1, { external_id: 'a', ...named('x') })];
    await expect(sendBatch(withNames(names), { client })).rejects.toThrow('404 x');
  });
});
