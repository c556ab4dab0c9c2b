/** Whole numbers of 64 bits, wherever a number may stand, from the socket to the export and back. */
import { useWorkspace } from '../shared.ts';
import { waiting } from '../system.ts';

const system = useWorkspace('long-numbers');

/** What counts is the text of the answer: `JSON.parse` would round it. */
const post = (path: string, raw: string) =>
  system.insist((caller) => caller.post(path).set(waiting).type('json').send(raw));

const track = (raw: string) => post('/users/track', raw);
const attributes = (id: string, members: string) =>
  track(`{"attributes":[{"external_id":"${id}",${members}}]}`);

/** The custom attributes of an export as text. */
const exportedText = async (id: string): Promise<string> => {
  const { text } = await post(
    '/users/export/ids',
    `{"external_ids":["${id}"],"fields_to_export":["custom_attributes"]}`,
  );
  return /"custom_attributes":(\{.*\})\}\]\}$/.exec(text)?.[1] ?? text;
};

const numbers = [
  '1234567890123456789',
  '-1234567890123456789',
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
  '9007199254740991',
  '-9007199254740992',
];

/** A number at each depth at which one may stand. */
const nested = (depth: number, number: string): string =>
  depth === 0 ? number : depth % 2 ? `{"a":${nested(depth - 1, number)}}` : `[${nested(depth - 1, number)}]`;

describe.each(numbers)('%s', (number) => {
  const id = `n${number}`;
  const all = [
    `"plain":${number}`,
    `"list":[1,${number},"${number}"]`,
    `"objects":[{"id":${number},"v":[${number}]}]`,
    ...Array.from({ length: 22 }, (_, depth) => `"deep${2 * depth + 1}":${nested(2 * depth + 1, number)}`),
  ].join(',');

  it('in attributes of every depth, out of the export and back in', async () => {
    expect((await attributes(id, all)).status).toBe(201);
    expect(await exportedText(id)).toBe(`{${all}}`);
    expect((await attributes(`${id} again`, all)).status).toBe(201);
    expect(await exportedText(`${id} again`)).toBe(`{${all}}`);
  });

  it('is the same attribute when it is sent again, and found where it is looked for', async () => {
    const one = `${id} changes`;
    await attributes(
      one,
      `"list":{"add":[${number},7]},"objects":{"$add":[{"id":${number},"v":1},{"id":2}]}`,
    );
    await attributes(
      one,
      `"list":{"add":[${number}]},"objects":{"$update":[{"$identifier_key":"id","$identifier_value":${number},"$new_object":{"id":${number},"v":${number}}}]}`,
    );
    expect(await exportedText(one)).toBe(
      `{"list":[7,${number}],"objects":[{"id":${number},"v":${number}},{"id":2}]}`,
    );
    await attributes(
      one,
      `"list":{"remove":[${number}]},"objects":{"$remove":[{"$identifier_key":"id","$identifier_value":${number}}]},"merged":{"x":${number}},"_merge_objects":true`,
    );
    expect(await exportedText(one)).toBe(`{"list":[7],"objects":[{"id":2}],"merged":{"x":${number}}}`);
  });

  it('as an external id it is its digits', async () => {
    await track(`{"attributes":[{"external_id":${number},"first_name":"Ada"}]}`);
    const raw = `{"external_ids":[${number}],"fields_to_export":["external_id","first_name"]}`;
    expect((await post('/users/export/ids', raw)).text).toContain(
      `{"external_id":"${number}","first_name":"Ada"}`,
    );
  });

  it('in properties of events and purchases, as they are stored', async () => {
    const properties = `{"a":${number},"b":[${number},{"c":${nested(9, number)}}]}`;
    const { status } = await track(
      `{"events":[{"external_id":"${id}","name":"seen","time":"2025-01-01","properties":${properties}}],` +
        `"purchases":[{"external_id":"${id}","product_id":"${id}","currency":"USD","price":1,"time":"2025-01-01","properties":${properties}}]}`,
    );
    expect(status).toBe(201);
    const claim = await system.store.identities.findOne({ _id: `${system.ws}:e:${id}` });
    const isTheirs = ({ profile }: { profile: string }) => profile === claim?.profile;
    const event = (await system.store.events.find()).find(isTheirs);
    expect(event?.properties).toBe(properties);
    expect((await system.store.purchases.find()).find(isTheirs)?.properties).toBe(properties);
  });

  it('in the answer to a caller that waits', async () => {
    const raw = `{"attributes":[{"external_id":"${id} sync","n":${number},"in":{"o":[${number}]}}]}`;
    expect((await post('/users/track/sync', raw)).text).toContain(
      `"custom_attributes":{"n":${number},"in":{"o":[${number}]}}`,
    );
  });
});

it('increments are exact, and stop at the end of 64 bits with a note', async () => {
  await attributes('inc', '"n":9007199254740991,"m":9223372036854775800');
  await attributes('inc', '"n":{"inc":2},"m":{"inc":1}');
  expect(await exportedText('inc')).toBe('{"n":9007199254740993,"m":9223372036854775801}');
  const { text } = await attributes('inc', '"n":{"inc":-1234567890123456789},"m":{"inc":100}');
  expect(await exportedText('inc')).toBe('{"n":-1225560690868715796,"m":9223372036854775807}');
  expect(text).toContain('"reason":"out_of_range"');
});

it('what has more than 64 bits is refused for its entry alone, and says where', async () => {
  const { status, text } = await track(
    '{"attributes":[{"external_id":"beyond","a":{"b":[1,9223372036854775808]}},{"external_id":"within","a":9223372036854775807}],' +
      '"events":[{"external_id":-9223372036854775809,"name":"seen","time":"2025-01-01"}]}',
  );
  expect(status).toBe(201);
  expect(JSON.parse(text)).toMatchObject({
    attributes_processed: 1,
    errors: [
      { code: 'NUMBER_OUT_OF_RANGE', input_array: 'attributes', index: 0 },
      { code: 'NUMBER_OUT_OF_RANGE', input_array: 'events', index: 0 },
    ],
  });
  expect(text).toContain('attributes[0].a.b[1] must be a whole number of at most 64 bits');
  expect(await exportedText('within')).toBe('{"a":9223372036854775807}');
});

it('where nothing takes a number, or none so large, it is refused as any other', async () => {
  const refused = await track(
    '{"attributes":[{"external_id":"x","first_name":1234567890123456789},{"external_id":"x","current_location":{"longitude":1234567890123456789,"latitude":1}}],' +
      '"purchases":[{"external_id":"x","product_id":"tea","currency":"USD","price":1234567890123456789,"time":"2025-01-01"},' +
      '{"external_id":"x","product_id":"tea","currency":"USD","price":1,"quantity":1234567890123456789,"time":"2025-01-01"}]}',
  );
  expect(JSON.parse(refused.text).errors.map(({ code }: { code: string }) => code)).toEqual([
    'FIELD_INVALID',
    'BAD_LOCATION_UPDATE',
    'FIELD_INVALID',
    'QUANTITY_INVALID',
  ]);
});

it('a body of which a long number makes no JSON is no JSON', async () => {
  expect((await track('{1234567890123456789:[]}')).status).toBe(400);
  expect((await track('{"attributes":[{"external_id":01234567890123456789}]}')).status).toBe(400);
});
