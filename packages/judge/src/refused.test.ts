/** Every way in which an entry or a request is refused: its status, code and sentence. A handful of them is played end to end. */
import { inspect } from 'node:util';
import { type EntryErrorCode, entryErrors, operationById, operations } from '@roster/contract';
import { createJudge, type JudgeInput } from './judge.ts';
import { attributes } from './refused/attributes.ts';
import { events, purchases } from './refused/occurrences.ts';
import { type EntryList, event, purchase, type Refused } from './refused/refused.ts';
import { requests } from './refused/requests.ts';
import { aJudgeSettings } from './test-settings.ts';

const suspicious = [
  '',
  'null',
  'undefined',
  '[object object]',
  '0',
  'guest',
  'none',
  'nan',
  'anonymous',
  'true',
];
const settings = aJudgeSettings({
  blockedExternalIds: new Set(['dummy', '7', 'blocked']),
  suspiciousExternalIds: new Set(suspicious),
  groups: new Map([
    ['news', 'email'],
    ['alerts', 'sms'],
    ['demo-news', 'email'],
    ['demo-texts', 'sms'],
  ]),
  apps: new Set(['shop', 'demo-app']),
});
const judge = createJudge();
const track = operationById('users.track');

const judged = (path: string, input: JudgeInput) => {
  const operation = operations.find((one) => one.path === path && one.method === 'POST');
  if (!operation) throw new Error(`no operation ${path}`);
  return judge(operation, input, settings);
};

/** As if the body were deep and held long numbers: each entry is judged for its own depth and numbers. */
const tracked = (body: object) => judged('/users/track', { body, depth: 55, exact: true });

const refusalOf = (path: string, verdict: ReturnType<typeof judge>) => {
  if (verdict.ok) throw new Error(`${path} accepted ${JSON.stringify(verdict.accepted)}`);
  const { status, message, errors } = verdict.rejection;
  return { status, message, errors };
};

const nothingValid = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.";

const errorOf = (list: EntryList, index: number, { code, sentence }: Refused) => ({
  type: sentence.replace(`${list}[0]`, `${list}[${index}]`),
  code,
  input_array: list,
  index,
});

const refusedEntries: Record<EntryList, readonly Refused[]> = { attributes, events, purchases };

/** A title that shows what is sent. */
const shown = (sent: unknown) =>
  inspect(sent, {
    breakLength: Number.POSITIVE_INFINITY,
    depth: 4,
    maxArrayLength: 3,
    maxStringLength: 30,
  }).slice(0, 120);

const lists = (Object.entries(refusedEntries) as [EntryList, readonly Refused[]][]).map(
  ([list, rows]) =>
    [list, rows.map((row) => ({ ...row, title: `${row.code} ${shown(row.entry)}` }))] as const,
);

describe.each(lists)('an entry of %s', (list, rows) => {
  it.each(rows)('$title', (row) => {
    expect(refusalOf('/users/track', tracked({ [list]: [row.entry] }))).toEqual({
      status: 400,
      message: nothingValid,
      errors: [errorOf(list, 0, row)],
    });
  });
});

const good = { attributes: { external_id: 'x', n: { inc: 1 } }, events: event, purchases: purchase };

describe.each(lists)('a refused entry of %s among good ones', (list, rows) => {
  it.each(rows)('$title', (row) => {
    const others = Object.entries(good).filter(([name]) => name !== list);
    const wellFormed = Object.fromEntries(others.map(([name, entry]) => [name, [entry]]));
    const verdict = tracked({ ...wellFormed, [list]: [good[list], row.entry] });
    if (!verdict.ok) throw verdict.rejection;
    expect(verdict.answer).toEqual({
      status: 201,
      body: {
        message: 'success',
        attributes_processed: 1,
        events_processed: 1,
        purchases_processed: 1,
        errors: [errorOf(list, 1, row)],
      },
    });
    // The code stands in its place, for the report of the worker.
    expect(verdict.accepted.body).toEqual({ ...wellFormed, [list]: [good[list], row.code] });
  });
});

describe('a request', () => {
  const titled = requests.map((row) => ({ ...row, title: `${row.path} ${shown(row.body)}` }));

  it.each(titled)('$title', ({ path, body, message, code }) => {
    const refused = refusalOf(path, judged(path, { body: JSON.parse(JSON.stringify(body)) }));
    expect([refused.status, refused.message]).toEqual([400, message]);
    expect(refused.errors?.[0]?.code).toBe(code);
  });
});

describe('the catalogue', () => {
  const rows = lists.flatMap(([, all]) => all);

  it.each([
    ['attributes', 466],
    ['events', 140],
    ['purchases', 166],
  ] as const)('has at least so many refused entries of %s: %d', (list, least) => {
    expect(refusedEntries[list].length).toBeGreaterThanOrEqual(least);
  });

  it('has at least 36 refused requests', () => {
    expect(requests.length).toBeGreaterThanOrEqual(36);
  });

  it('has a case for every code that an entry of /users/track can get', () => {
    for (const { array, errors } of track?.entries ?? []) {
      const held = new Set(
        lists.flatMap(([list, all]) => (list === array ? all.map(({ code }) => code) : [])),
      );
      expect([array, errors.filter((code) => !held.has(code))]).toEqual([array, []]);
      expect([array, [...held].filter((code) => !errors.includes(code))]).toEqual([array, []]);
    }
  });

  it('has no code that nothing uses', () => {
    const used = new Set<string>(
      operations.flatMap(({ entries = [] }) => entries.flatMap(({ errors }) => errors)),
    );
    expect(Object.keys(entryErrors).filter((code) => !used.has(code))).toEqual([]);
  });

  it('has a case for every code but those that no entry of /users/track can get', () => {
    const elsewhere: EntryErrorCode[] = ['ALIAS_NAME_TAKEN', 'PRIORITIZATION_INVALID'];
    const seen = new Set<string>([...rows.map(({ code }) => code), ...elsewhere]);
    expect(Object.keys(entryErrors).filter((code) => !seen.has(code))).toEqual([]);
  });
});
