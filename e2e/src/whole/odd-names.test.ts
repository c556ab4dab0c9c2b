/** Names and values that look like code, paths or operators are only data. */
import fc from 'fast-check';
import { useWorkspace } from '../shared.ts';

const system = useWorkspace('odd-names');

const suspicious = [
  ...'__proto__ constructor prototype toString hasOwnProperty a.b . .. a..b .x 0 -1 1e3 length'.split(' '),
  ...'_id id ws profile fields custom v k at base steps'.split(' '),
  'a b',
  ' ',
  'é',
  'e\u0301',
  '\u202Eabc',
  '\u200B',
  '👩‍👩‍👧',
  '{{x}}',
  '$\u007bx}',
  '<script>',
  "'; drop table",
  '%00',
  '\\u0000',
  '\n',
  'x'.repeat(255),
];

const values = [
  '$secret',
  '{"$ne":null}',
  '[object Object]',
  '$where: 1',
  '__proto__',
  '\uFEFFx',
  ' padded ',
  '',
  'null',
];

const isFit = (name: string): boolean =>
  name.length > 0 &&
  [...name].length <= 255 &&
  !name.startsWith('$') &&
  !name.includes('\0') &&
  name.isWellFormed();

/** Names of fields mean the field; everything else is only a name. */
const fields = new Set('email phone gender country language dob apps devices twitter facebook'.split(' '));

const name = fc
  .oneof(
    fc.constantFrom(...suspicious),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  .filter((text) => isFit(text) && !fields.has(text));

/** A text that no format reads as a time. */
const value = fc
  .oneof(
    fc.constantFrom(...values),
    fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => `~${text}`),
  )
  .filter((text) => text.isWellFormed());

const nestedName = name.filter((text) => !/[ .$]/.test(text) && !['inc', 'add', 'remove'].includes(text));

const oddCase = fc.record({
  id: name,
  attribute: name,
  value,
  property: name,
  nested: nestedName,
  label: name,
});
type OddCase = typeof oddCase extends fc.Arbitrary<infer Case> ? Case : never;

/** From entries, not by assignment: `__proto__` is only a name. */
const object = (...entries: [string, unknown][]) => Object.fromEntries(entries);

const reserved = ['time', 'event_name'];

const bodyOf = (cases: readonly OddCase[], ids: readonly string[]) => ({
  attributes: cases.map(({ attribute, value, nested }, i) =>
    object(['external_id', ids[i]], [attribute, value], ['nested', object([nested, [value]])]),
  ),
  events: cases.map(({ property, value }, i) => ({
    external_id: ids[i],
    name: 'odd',
    time: '2026-01-01',
    properties: object([reserved.includes(property) ? 'other' : property, value]),
  })),
});

let requests = 0;

const check = async (cases: readonly OddCase[]): Promise<void> => {
  const ids = cases.map(({ id }, i) => `${requests++}-${i}-${id}`.slice(0, 255));
  const answer = await system.track(bodyOf(cases, ids));
  expect(answer.body.errors).toBeUndefined();
  const asked = { external_ids: ids, fields_to_export: ['external_id', 'custom_attributes'] };
  const exported = await system.insist((caller) => caller.post('/users/export/ids').send(asked));
  const users = exported.body.users as { external_id: string; custom_attributes: Record<string, unknown> }[];
  expect(
    users.map(({ external_id, custom_attributes }) => [
      external_id,
      Object.entries(custom_attributes).sort(byName),
    ]),
  ).toEqual(
    cases.map(({ attribute, value, nested }, i) => {
      const inner = ['nested', object([nested, [value]])];
      return [ids[i], attribute === 'nested' ? [inner] : [[attribute, value], inner].sort(byName as never)];
    }),
  );
  const people = await system.store.identities
    .find({ _id: { $in: ids.map((id) => `${system.ws}:e:${id}`) } })
    .toArray();
  const properties = new Map<number, object>();
  for await (const row of system.store.events.of(people.map(({ profile }) => profile)))
    properties.set(row.index, JSON.parse(row.properties ?? '{}'));
  expect(cases.map((_, i) => Object.entries(properties.get(i) ?? {}))).toEqual(
    cases.map(({ property, value }) => [[reserved.includes(property) ? 'other' : property, value]]),
  );
};

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

it('come back byte for byte, 5,000 times, and change nothing else', async () => {
  await system.track({ attributes: [{ external_id: 'bystander', plan: 'gold', secret: 'hidden' }] });
  const bystander = await system.exported('bystander', ['service_id', 'custom_attributes']);
  await fc.assert(fc.asyncProperty(fc.array(oddCase, { minLength: 25, maxLength: 25 }), check), {
    numRuns: 200,
    endOnFailure: true,
  });
  expect(await system.exported('bystander', ['service_id', 'custom_attributes'])).toEqual(bystander);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

it('lead to one person each, as identifiers', async () => {
  const ids = suspicious.filter((text) => text.trim() !== '' && text !== '0');
  const aliases = suspicious.filter((text) => Buffer.byteLength(text) <= 236);
  await system.track({
    attributes: ids.map((external_id) => ({ external_id, mine: `~${external_id}`.slice(0, 255) })),
  });
  await system.track({
    attributes: aliases.map((text) => ({
      user_alias: { alias_label: text, alias_name: text },
      _update_existing_only: false,
      mine: `~${text}`.slice(0, 255),
    })),
  });
  for (const id of ids) {
    expect(await system.exported(id, ['external_id', 'custom_attributes'])).toEqual({
      external_id: id,
      custom_attributes: { mine: `~${id}`.slice(0, 255) },
    });
  }
  for (const text of aliases) {
    const asked = {
      user_aliases: [{ alias_label: text, alias_name: text }],
      fields_to_export: ['custom_attributes'],
    };
    const { body } = await system.insist((caller) => caller.post('/users/export/ids').send(asked));
    expect(body.users).toEqual([{ custom_attributes: { mine: `~${text}`.slice(0, 255) } }]);
  }
});
