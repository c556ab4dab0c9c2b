/** What every source must do, run against each of them: a table `people` with the columns id, updated_at and payload. */
import { basename, dirname } from 'node:path';
import type { Limits } from './bounds.ts';
import { compareKeys } from './keys.ts';
import { openSource } from './open-source.ts';
import type { ServerSettings } from './settings.ts';
import type { PageRow, ReadOptions, Source } from './source.ts';
import { SourceError } from './source-error.ts';

const outOfReachMs = 600_000;

/** For tests that are not about a time limit: a slow machine does not reach these. */
export const patient: Omit<Limits, 'stretchMs' | 'statementRows'> = {
  connectMs: outOfReachMs,
  questionMs: outOfReachMs,
  statementMs: outOfReachMs,
  silenceMs: outOfReachMs,
};

/** Stands in credentials, and in what servers say: their texts may hold a value of a row. */
export const secret = 's3cret-word';

/** The error of a source, which never tells a secret. */
export const failureOf = async (work: Promise<unknown>): Promise<SourceError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw error ?? new Error('nothing has failed');
  expect(`${error}`).not.toContain(secret);
  return error;
};

/** The settings of a folder that the operator allows. */
export const inRoot = (path: string) => ({ root: dirname(path), folder: basename(path) });

/** The table `people` of a server without TLS, unless the test says otherwise. */
export const openTable = (
  settings: Pick<ServerSettings, 'kind' | 'url'> & Partial<ServerSettings>,
  limits: Partial<Limits> = {},
): Source =>
  openSource(
    { table: 'people', updatedAt: 'UPDATED_AT', tie: 'id', tls: { mode: 'off' }, ...settings },
    { ...patient, ...limits },
  );

export interface Person {
  readonly id: string | null;
  readonly at: string;
  readonly payload?: string;
}

export interface Subject {
  /** Replaces the rows of the table. */
  fill(people: readonly Person[]): Promise<void>;
  open(): Source;
}

export const readAll = async (source: Source, options: Partial<ReadOptions> = {}): Promise<PageRow[]> => {
  const rows: PageRow[] = [];
  for await (const page of pagesOf(source, options)) rows.push(...page.rows);
  return rows;
};

export const pagesOf = (source: Source, options: Partial<ReadOptions> = {}) =>
  source.pages({
    since: undefined,
    pageRows: 100,
    pageBytes: 4_000_000,
    signal: new AbortController().signal,
    ...options,
  });

/** `id@payload`, or what is wrong. */
export const inShort = (rows: readonly PageRow[]): string[] =>
  rows.map((one) => (one.row ? `${one.row.id}@${one.row.payload}` : `${one.id}: ${one.problem}`));

/** For two files, one of them in the opposite order. */
export const inTwo = (people: readonly Person[]): readonly [Person[], Person[]] => [
  people.filter((_, at) => at % 2 === 0).reverse(),
  people.filter((_, at) => at % 2 === 1),
];

const day = (time: string): string => `2026-01-31T${time}Z`;

const people: readonly Person[] = [
  { id: 'c', at: day('10:00:00.001'), payload: '1' },
  { id: 'a', at: day('10:00:00.002'), payload: '2' },
  { id: 'b', at: day('10:00:00.002'), payload: '3' },
  { id: 'b', at: day('10:00:00.002'), payload: '4' },
  { id: 'b', at: day('10:00:00.002'), payload: '5' },
  { id: 'd', at: day('10:00:00.002'), payload: '6' },
  { id: 'a', at: day('10:00:00.5'), payload: '7' },
  { id: 'a', at: day('11:00:00'), payload: '8' },
];

/** Places where a reader may be interrupted: after each row. */
const restAfterEach = async (source: Source): Promise<string[][]> => {
  const whole = await readAll(source);
  const rests: string[][] = [];
  for (const { cursor } of whole) {
    expect(Buffer.byteLength(JSON.stringify(cursor))).toBeLessThanOrEqual(4_096);
    rests.push(inShort(await readAll(source, { since: cursor })));
  }
  return rests;
};

const sorted = (texts: readonly string[]): string[] => [...texts].sort();

/** Rows that were read before an interruption at any place, and after it: together all rows, none twice. */
export const expectNoneMissedOrRepeated = async (source: Source) => {
  const whole = inShort(await readAll(source));
  const rests = await restAfterEach(source);
  expect(rests).toHaveLength(whole.length);
  for (const [at, rest] of rests.entries()) {
    const expected = whole.slice(at + 1);
    expect(sorted(rest)).toEqual(sorted(expected));
  }
};

type Behaviour = readonly [
  title: string,
  people: readonly Person[],
  holds: (source: Source) => Promise<void>,
];

const atOnce = (ids: readonly (string | null)[]): Person[] =>
  ids.map((id, at) => ({ id, at: day('10:00:00'), payload: String(at) }));

const odd = [
  "o'brien",
  '"',
  '\\',
  '%',
  '_',
  'ä',
  '😀',
  '01',
  '1',
  '$1',
  '`',
  "'; DROP TABLE people; --",
  ' ',
  '',
];

const ordered: Behaviour = [
  'reads rows in the order of moment and tie',
  people,
  async (source) => {
    const rows = inShort(await readAll(source));
    expect(sorted(rows.slice(2, 5))).toEqual(['b@3', 'b@4', 'b@5']);
    expect([...rows.slice(0, 2), ...rows.slice(5)]).toEqual(['c@1', 'a@2', 'd@6', 'a@7', 'a@8']);
  },
];

const pages: Behaviour = [
  'makes pages within bounds of rows and bytes',
  Array.from({ length: 25 }, (_, at) => ({
    id: `p${at}`,
    at: day(`10:00:${10 + at}`),
    payload: 'x'.repeat(1_000),
  })),
  async (source) => {
    const sizes = async (options: Partial<ReadOptions>) => {
      const found: number[] = [];
      for await (const { rows } of pagesOf(source, options)) found.push(rows.length);
      return found;
    };
    expect(await sizes({ pageRows: 10 })).toEqual([10, 10, 5]);
    const byBytes = await sizes({ pageBytes: 5_000 });
    expect(Math.max(...byBytes)).toBeLessThanOrEqual(5);
    expect(byBytes.reduce((sum, size) => sum + size)).toBe(25);
    expect(await sizes({ pageBytes: 10 })).toEqual(Array(25).fill(1));
  },
];

export const withLarge: readonly Person[] = [
  { id: 'a', at: day('10:00:00'), payload: 'small' },
  { id: 'b', at: day('10:00:01'), payload: 'x'.repeat(1_100_000) },
  { id: 'c', at: day('10:00:02'), payload: 'small' },
];

const large: Behaviour = [
  'says of a row that is too large that it is, and reads the others',
  withLarge,
  async (source) => {
    const rows = inShort(await readAll(source));
    const problem = expect.stringMatching(/: the row has 1\.\d MB, and a row may have 1\.0 MB$/);
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(expect.arrayContaining(['a@small', problem, 'c@small']));
    await expectNoneMissedOrRepeated(source);
  },
];

const lookingBack: Behaviour = [
  'looks back by seconds, with the moment there included',
  people,
  async (source) => {
    const last = (await readAll(source)).at(-1)?.cursor;
    const rows = async (seconds: number) =>
      inShort(await readAll(source, { since: last && source.lookBack(last, seconds) }));
    expect(await rows(0)).toEqual(['a@8']);
    expect(await rows(3_599)).toEqual(['a@8']);
    expect(await rows(3_600)).toHaveLength(people.length);
    expect(await rows(1e12)).toHaveLength(people.length);
  },
];

const behaviours: readonly Behaviour[] = [
  ordered,
  ['misses no row and reads none twice, wherever it is interrupted', people, expectNoneMissedOrRepeated],
  ['reads rows without a tie', [...atOnce([null, null]), ...people], expectNoneMissedOrRepeated],
  [
    'keeps its place among ties that look like code, numbers or wild cards',
    atOnce(odd),
    expectNoneMissedOrRepeated,
  ],
  pages,
  large,
  [
    'cuts a tie that is too long for a cursor, and misses nothing',
    atOnce(['a', 'b', 'c'].map((end) => '"'.repeat(700) + end)),
    async (source) => {
      for (const rest of await restAfterEach(source)) expect(rest).toHaveLength(3);
    },
  ],
  lookingBack,
  [
    'leaves rows of the future until their time has come',
    [...people, { id: 'z', at: '2999-01-01T00:00:00Z', payload: '9' }],
    async (source) => {
      expect(inShort(await readAll(source))).not.toContain('z@9');
      expect(await readAll(source)).toHaveLength(people.length);
    },
  ],
  [
    'stops when it is told',
    people,
    async (source) => {
      const aborted = new AbortController();
      const read = async () => {
        for await (const _ of pagesOf(source, { pageRows: 1, signal: aborted.signal }))
          aborted.abort(new Error('enough'));
      };
      await expect(read()).rejects.toThrow('enough');
    },
  ],
  [
    'shows its columns and some rows',
    people,
    async (source) => {
      const { columns, sample } = await source.test();
      expect(columns.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['id', 'updated_at', 'payload']),
      );
      expect(sample).toHaveLength(3);
    },
  ],
];

export const itReadsInOrder = ({ fill, open }: Subject): void => {
  it.each(behaviours)('%s', async (_, given, holds) => {
    await fill(given);
    const source = open();
    try {
      await holds(source);
    } finally {
      await source.close();
    }
  });
};

const keys = ['b', 'a', 'B', 'A', '10', '9', 'ä', 'z', '', '\uffee', '😀', "o'brien", 'a b', 'a-b', 'ab'];
const keyed: readonly Person[] = [...keys, null, null].map((id, n) => ({
  id,
  at: day('10:00:00'),
  payload: String(n),
}));

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const keysOf = (rows: readonly PageRow[]): string[] => rows.map(({ cursor }) => cursor.key ?? 'no key');

/** Each once, in the order of their texts. */
export const expectKeys = async (source: Source, count: number): Promise<void> => {
  const found = keysOf(await readAll(source));
  expect(found).toEqual([...new Set(found)].sort());
  expect(found).toHaveLength(count);
};

/** What every source must do whose rows have no moment: `open` opens the same table by its keys. */
export const itReadsByKey = ({ fill, open }: Subject): void => {
  it('reads all rows in the order of the bytes of their keys', async () => {
    await fill(keyed);
    const rows = await readAll(open());
    const found = keysOf(rows);
    expect(found).toEqual([...found].sort(byBytes));
    expect(found).toEqual([...found].sort(compareKeys));
    expect(new Set(found).size).toBeGreaterThanOrEqual(keys.length);
    expect(sorted(inShort(rows))).toEqual(sorted(keyed.map(({ id, payload }) => `${id}@${payload}`)));
  });

  it('goes on behind any row, and misses none', async () => {
    await fill(keyed);
    await expectNoneMissedOrRepeated(open());
  });
};

/** Of servers. */
export const itTellsRepeatedKeys = ({ fill, open }: Subject): void => {
  it('tells in a test a key that several rows have', async () => {
    const person = (id: string | null): Person => ({ id, at: day('10:00:00'), payload: 'x' });
    await fill(['a', 'A', 'b', null, null].map(person));
    expect((await open().test()).repeated).toBeUndefined();
    await fill(['a', 'c', 'b', 'c', null].map(person));
    expect((await open().test()).repeated).toBe('c');
  });
};
