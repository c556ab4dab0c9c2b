/** Every way in which an entry is refused: its code and sentence. A handful of them is played end to end. */
import { inspect } from 'node:util';
import { entryErrors, operationOf, operations } from '@roster/contract';
import { createJudge } from './judge.ts';
import { attributes } from './refused/attributes.ts';
import { deep } from './refused/entries-of.ts';
import { events, purchases } from './refused/occurrences.ts';
import { type EntryList, event, purchase, type Refused, settings } from './refused/refused.ts';

const judge = createJudge();

/** As if the body were deep and held long numbers: each entry is judged for its own depth and numbers. */
const tracked = (body: object) =>
  judge(operationOf('users.track'), { body, depth: 55, exact: true }, settings);

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

const good = { attributes: { external_id: 'x', n: { inc: 1 } }, events: event, purchases: purchase };

describe.each(lists)('a refused entry of %s among good ones', (list, rows) => {
  it.each(rows)('$title', (row) => {
    const others = Object.entries(good).filter(([name]) => name !== list);
    const wellFormed = Object.fromEntries(others.map(([name, entry]) => [name, [entry]]));
    const verdict = tracked({ ...wellFormed, [list]: [good[list], row.entry], unknown: deep });
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

describe('the catalogue', () => {
  it.each([
    ['attributes', 466],
    ['events', 140],
    ['purchases', 166],
  ] as const)('has at least so many refused entries of %s: %d', (list, least) => {
    expect(refusedEntries[list].length).toBeGreaterThanOrEqual(least);
  });

  it('has no code that nothing uses', () => {
    const used = new Set<string>(
      operations.flatMap(({ entries = [] }) => entries.flatMap(({ errors }) => errors)),
    );
    expect(Object.keys(entryErrors).filter((code) => !used.has(code))).toEqual([]);
  });
});
