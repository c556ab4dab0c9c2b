import type { Batch } from './batches.ts';
import type { ArrayName, JsonObject } from './row.ts';
import { sendBatch } from './send-batch.ts';
import type { Answer, TrackClient } from './track-client.ts';

const aBatch = (entries: [ArrayName, JsonObject][]): Batch => ({
  index: 0,
  start: 100,
  end: 200,
  nextLine: 9,
  part: 0,
  rows: entries.length,
  items: entries.map(([array, value], i) => ({ array, value, json: JSON.stringify(value), line: i + 1 })),
  refusals: [],
  leftOut: [],
});
const attributes = (...ids: string[]) => aBatch(ids.map((id) => ['attributes', { external_id: id }]));
const ok: Answer = { status: 201, message: 'success', errors: [] };
const error = (input_array: string, index: number) => ({ type: 'no', code: 'NO', input_array, index });

/** Answers by rule, and remembers what it was asked. */
const server = (rule: (json: string) => Answer) => {
  const asked: { json: string; key: string; isWaiting: boolean }[] = [];
  const client: TrackClient = {
    async track(json, key, isWaiting = false) {
      asked.push({ json, key, isWaiting });
      return rule(json);
    },
    isAllApplied: async () => true,
  };
  return { asked, client };
};

describe('a batch', () => {
  it('is one request', async () => {
    const { asked, client } = server(() => ok);
    expect(await sendBatch(attributes('a', 'b'), { client })).toEqual({
      requests: 1,
      accepted: 2,
      refusals: [],
    });
    expect(asked).toHaveLength(1);
  });

  it('is waited for until it is applied when somebody is meant by an alias or address', async () => {
    const { asked, client } = server(() => ok);
    const alias = { user_alias: { alias_name: 'a', alias_label: 'crm' } };
    for (const who of [
      { external_id: 'a', email: 'a@example.com' },
      { service_id: 's' },
      { email: 'a@example.com' },
      alias,
    ])
      await sendBatch(aBatch([['attributes', who]]), { client });
    expect(asked.map(({ isWaiting }) => isWaiting)).toEqual([false, false, true, true]);
  });

  it('without entries is none', async () => {
    const { asked, client } = server(() => ok);
    expect(await sendBatch(attributes(), { client })).toMatchObject({ requests: 0, accepted: 0 });
    expect(asked).toEqual([]);
  });

  it('has the same key when it is sent again, and another one elsewhere, or in another run', async () => {
    const { asked, client } = server(() => ok);
    const batch = attributes('a');
    await sendBatch(batch, { client });
    await sendBatch(batch, { client });
    await sendBatch({ ...batch, start: 101 }, { client });
    await sendBatch({ ...batch, part: 1 }, { client });
    await sendBatch(batch, { client, run: 'again' });
    await sendBatch(attributes('b'), { client });
    const keys = asked.map(({ key }) => key);
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
      requests: 1,
      accepted: 1,
      refusals: [
        { line: 2, code: 'NO', sentence: 'no', row: { external_id: 'b' } },
        { line: 3, code: 'NO', sentence: 'no', row: { type: 'event', external_id: 'c' } },
      ],
    });
  });

  it('of which nothing is valid has only refusals', async () => {
    const { client } = server(() => ({ status: 400, message: 'x', errors: [error('attributes', 0)] }));
    expect(await sendBatch(attributes('a'), { client })).toMatchObject({
      accepted: 0,
      refusals: [{ line: 1 }],
    });
  });

  it.each([
    [400, 'BODY_REFUSED'],
    [413, 'BODY_TOO_LARGE'],
  ])('that is refused as a whole with %s for one entry loses only that one', async (status, code) => {
    const { client, asked } = server((json) =>
      json.includes('bad') ? { status, message: 'too deep', errors: [] } : ok,
    );
    const sent = await sendBatch(attributes('a', 'b', 'bad', 'd', 'e'), { client });
    expect(sent).toMatchObject({ accepted: 4, refusals: [{ line: 3, code, sentence: 'too deep' }] });
    expect(sent.requests).toBe(asked.length);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(asked.length);
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
