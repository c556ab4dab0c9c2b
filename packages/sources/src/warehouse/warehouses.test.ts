/**
 * Redshift on a real PostgreSQL, whose protocol it speaks; the others against doubles of their interfaces, which run the statements on a real PostgreSQL.
 * None of it proves that the service itself takes these statements.
 */
import { createSignal, until, usePostgresql } from '@roster/testkit';
import { credentials, startBigquery } from '../bigquery/testbed.ts';
import type { Limits } from '../bounds.ts';
import { token as databricksToken, startDatabricks } from '../databricks/testbed.ts';
import { openSource, readColumns } from '../open-source.ts';
import type { SourceTable } from '../settings.ts';
import { token as snowflakeToken, startSnowflake } from '../snowflake/testbed.ts';
import type { Row, Source } from '../source.ts';
import {
  expectKeys,
  failureOf,
  inShort,
  itReadsByKey,
  itReadsInOrder,
  patient,
  readAll,
  secret,
} from '../testbed.ts';
import { type Engine, fillPeople, makeDatabase, openEngine, pem, usual } from './testbed.ts';

type Place = Extract<SourceTable, { table: string }>;

interface World {
  readonly engine: Engine;
  /** The table `people`. */
  readonly place: Place;
  /** A wrong credential. */
  readonly wrong: object;
  close(): Promise<unknown>;
}

const worlds: Readonly<Record<string, (url: string) => Promise<World>>> = {
  async redshift(url) {
    const engine = await openEngine(url, '');
    return {
      engine,
      place: { kind: 'redshift', url, table: 'people', tls: { mode: 'off' } },
      wrong: { url: Object.assign(new URL(url), { password: secret }).href },
      close: engine.close,
    };
  },
  async bigquery(url) {
    const { endpoint, ...double } = await startBigquery(url);
    return {
      ...double,
      place: { kind: 'bigquery', credentials: credentials(), endpoint, table: 'public.people' },
      wrong: { credentials: credentials({ client_email: 'else@shop.iam.gserviceaccount.com' }) },
    };
  },
  async snowflake(url) {
    const { endpoint, ...double } = await startSnowflake(url);
    const login = { account: 'shop-main', user: 'roster', privateKey: pem };
    return {
      ...double,
      place: { kind: 'snowflake', ...login, warehouse: 'READING', endpoint, table: 'people' },
      wrong: { privateKey: undefined, token: secret },
    };
  },
  async databricks(url) {
    const { endpoint, ...double } = await startDatabricks(url);
    return {
      ...double,
      place: { kind: 'databricks', endpoint, warehouse: 'w1', token: databricksToken, table: 'people' },
      wrong: { token: secret },
    };
  },
};

const people = [
  { id: 'a', at: '2026-01-31T10:00:00.000001Z', payload: '1' },
  { id: 'b', at: '2026-01-31T10:00:00.000001Z', payload: '2' },
  { id: 'c', at: '2026-01-31T10:00:00.000002Z', payload: '3' },
];

/** What differs in a row of all types. */
const differences: Readonly<Record<string, Row>> = {
  redshift: { raw: '\\x00ff', doc: '{"a": [1, null, {"b": "ü"}], "n": null}' },
  bigquery: { raw: 'AP8=' },
  snowflake: { updated_at: '2026-01-31T10:00:00.123456000Z', at: '2026-01-31T10:00:00.000001000Z' },
  databricks: {},
};

const server = usePostgresql();

describe.each(Object.entries(worlds))('%s', (kind, start) => {
  let world: World;
  beforeAll(async () => {
    world = await start(await makeDatabase(server.url, kind));
  });
  afterAll(() => world.close());
  afterEach(() => Object.assign(world.engine.behaviour, usual));

  interface Given {
    readonly more?: object | undefined;
    readonly updatedAt?: string | undefined;
    readonly tie?: string;
    readonly limits?: Partial<Limits>;
  }
  const where = (table: string, more: object = {}): SourceTable => {
    const { place } = world;
    return { ...place, table: place.table.replace('people', table), ...more };
  };
  const open = (table = 'people', given: Given = {}): Source => {
    const { more, updatedAt, tie, limits } = { updatedAt: 'UPDATED_AT', tie: 'id', ...given };
    return openSource({ ...where(table, more), updatedAt, tie }, { ...patient, ...limits });
  };
  const query = (text: string) => world.engine.admin.query(text);

  describe('as any source', () => {
    itReadsInOrder({ fill: (given) => fillPeople(world.engine, given), open: () => open() });
  });

  describe('by its keys', () => {
    const byKey = (table?: string, limits: Partial<Limits> = { statementRows: 5 }) =>
      open(table, { updatedAt: undefined, limits });
    itReadsByKey({ fill: (given) => fillPeople(world.engine, given), open: () => byKey() });

    it.each(['int8', 'numeric(20, 2)'])('keys of type %s', async (type) => {
      await query(`DROP TABLE IF EXISTS keyed; CREATE TABLE keyed (id ${type}, updated_at timestamptz);
        INSERT INTO keyed SELECT n FROM generate_series(-120, 1200) n`);
      await expectKeys(byKey('keyed', { statementRows: 500 }), 1321);
    });
  });

  it('makes values plain: long numbers, decimals, zones, JSON, nothing', async () => {
    await query(`CREATE TABLE kinds (id bigint, updated_at timestamptz, yes boolean, ratio double precision, nan double precision, amount numeric, huge numeric,
        at timestamp, born date, doc jsonb, raw bytea, nothing text, "odd "" \`:1 ? name" text);
      INSERT INTO kinds VALUES (9007199254740993, '2026-01-31 12:00:00.123456+02', true, 0.1, 'NaN', 12.50, 123456789012345678901234567890,
        '2026-01-31 10:00:00.000001', '2000-02-29', '{"a": [1, null, {"b": "ü"}], "n": null}', '\\x00ff', NULL, 'odd')`);
    const [found] = await readAll(open('kinds'));
    expect(found?.row).toEqual({
      id: 9007199254740993n,
      updated_at: '2026-01-31T10:00:00.123456Z',
      yes: true,
      ratio: 0.1,
      nan: 'NaN',
      amount: 12.5,
      huge: 123456789012345678901234567890n,
      at: '2026-01-31T10:00:00.000001Z',
      born: '2000-02-29',
      doc: { a: [1, null, { b: 'ü' }], n: null },
      raw: '00FF',
      nothing: null,
      'odd " `:1 ? name': 'odd',
      ...differences[kind],
    });
    const columns = await readColumns(where('kinds'), patient);
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(found?.row ?? {}));
  });

  it.each([
    ['timestamp', 'bigint'],
    ['date', 'numeric(10, 2)'],
    ['timestamptz', 'text'],
  ])('goes on behind moments of type %s and ties of type %s', async (moment, tie) => {
    await query(`DROP TABLE IF EXISTS moments; CREATE TABLE moments (id ${tie}, updated_at ${moment});
      INSERT INTO moments SELECT n, timestamp '2026-01-31' + (n / 2) * interval '1 day' FROM generate_series(-6, -1) n`);
    const source = open('moments');
    const whole = await readAll(source);
    for (const [at, { cursor }] of whole.entries())
      expect(await readAll(source, { since: cursor })).toEqual(whole.slice(at + 1));
    expect(whole).toHaveLength(6);
  });

  it('reads part by part and statement by statement, and counts', async () => {
    await query(`CREATE TABLE many (id bigint, updated_at timestamptz, payload text);
      INSERT INTO many SELECT n, timestamptz '2026-01-31' + n / 3 * interval '1 s', 'x' FROM generate_series(1, 2000) n`);
    const source = open('many', { limits: { statementRows: 700 } });
    const read = await readAll(source);
    expect(new Set(read.map(({ row }) => row?.id)).size).toBe(2_000);
    expect(read).toHaveLength(2_000);
    const { signal } = new AbortController();
    expect(await source.estimate(read[499]?.cursor, signal)).toBe(1_500);
    expect(await source.clock(signal)).not.toHaveProperty('lag', expect.anything());
  });

  it('neither misses nor repeats rows of one moment at the end of a statement', async () => {
    await fillPeople(world.engine, people);
    expect(inShort(await readAll(open('people', { limits: { statementRows: 2 } })))).toEqual([
      'a@1',
      'b@2',
      'c@3',
    ]);
    await fillPeople(world.engine, Array(40).fill({ id: 'a', at: '2026-01-31T10:00:00Z', payload: '1' }));
    expect(await readAll(open('people', { limits: { statementRows: 41 } }))).toHaveLength(40);
    // Of so many a cursor can't name those that were read.
    expect(await failureOf(readAll(open('people', { limits: { statementRows: 33 } })))).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('name a unique one as key'),
    });
  });

  describe('says what is wrong:', () => {
    const hasNoColumn = 'has no column changed; it has id, updated_at, payload';
    const cases: readonly [string, string, Given, string, string][] = [
      ['a table', 'nowhere', {}, 'table_missing', 'there is no table '],
      ['a name like code', '"x""; DROP TABLE people; --"', {}, 'table_missing', 'there is no table '],
      ['a column', 'people', { updatedAt: 'changed' }, 'column_missing', hasNoColumn],
      [
        'the type of a moment',
        'people',
        { updatedAt: 'payload' },
        'wrong_type',
        'column payload is of type ',
      ],
      ['the type of a tie', 'people', { tie: 'updated_at' }, 'wrong_type', 'column updated_at is of type '],
    ];
    it.each(cases)('%s', async (_, table, given, code, says) => {
      await fillPeople(world.engine, people);
      const source = open(table, given);
      for (const work of [source.test(), readAll(source)]) {
        const error = await failureOf(work);
        expect(error).toMatchObject({ code, kind: 'config' });
        expect(error.message).toContain(says);
      }
      expect(await readAll(open())).toHaveLength(3);
    });

    it('a wrong credential', async () => {
      expect(await failureOf(open('people', { more: world.wrong }).test())).toMatchObject({
        code: 'access_denied',
        kind: 'config',
      });
    });

    it('a column that is lost while the table is read', async () => {
      await fillPeople(world.engine, people);
      await query(
        'CREATE VIEW broken AS SELECT id, updated_at, (1 / (length(payload) - 1))::text AS payload FROM people',
      );
      const error = await failureOf(readAll(open('broken')));
      expect(['column_missing', 'server_error']).toContain(error.code);
    });
  });

  if (kind !== 'redshift')
    describe('over HTTP', () => {
      beforeEach(async () => {
        await fillPeople(world.engine, people);
        world.engine.cancelled.length = 0;
      });
      /** 600 rows. */
      const fillParts = () =>
        query(`DROP TABLE IF EXISTS parts; CREATE TABLE parts (id bigint, updated_at timestamptz);
          INSERT INTO parts SELECT n, '2026-01-31' FROM generate_series(1, 600) n`);

      const [enough, lost] = [{ message: 'enough' }, { code: 'connection_lost' }];
      it.each<[string, object, boolean, (source: Source) => unknown]>([
        ['its reader stops', enough, true, () => {}],
        ['its reader stops before the server has named it', enough, false, () => {}],
        ['the source is closed', lost, true, (source) => source.close()],
      ])('ends a statement in the server when %s', async (_, told, isNamed, stop) => {
        const { behaviour, cancelled } = world.engine;
        const [source, named, aborted] = [open(), createSignal(), new AbortController()];
        await source.test();
        Object.assign(behaviour, { begun: 0, ...(isNamed ? { isHeld: true } : { gate: named.given }) });
        const reading = readAll(source, { signal: aborted.signal }).catch((error: unknown) => error);
        await until(() => behaviour.begun > 0);
        await stop(source);
        aborted.abort(new Error('enough'));
        named.give();
        expect(await reading).toMatchObject(told);
        expect(cancelled).toHaveLength(1);
      });

      it('waits for a statement no longer than its time limit', async () => {
        const source = open('people', { limits: { statementMs: 0 } });
        await readColumns(where('people'), patient);
        world.engine.behaviour.isHeld = true;
        const error = await failureOf(readAll(source));
        expect(error).toMatchObject({ code: 'time_limit', kind: 'passing' });
        expect(world.engine.cancelled).toHaveLength(1);
      });

      it('gives no end of rows while parts are missing', async () => {
        await fillParts();
        expect(await readAll(open('parts'))).toHaveLength(600);
        world.engine.behaviour.lostParts = 1;
        expect(await failureOf(readAll(open('parts')))).toMatchObject({
          kind: 'passing',
          message: expect.stringContaining('sent 500 rows of a result of 600: parts of it are missing'),
        });
      });

      it.each([
        ['a port', 'http://127.0.0.1:1', 'connection_refused', '127.0.0.1:1 refuses'],
        [
          'an endpoint with a path',
          'http://127.0.0.1/api',
          'bad_settings',
          'must look like https://host:port',
        ],
      ])('%s that is wrong is told', async (_, endpoint, code, says) => {
        const error = await failureOf((async () => open('people', { more: { endpoint } }).test())());
        expect(error.code).toBe(code);
        expect(error.message).toContain(says);
      });

      if (kind === 'databricks')
        it('goes on behind a result that the server has cut, and names a wrong warehouse', async () => {
          await fillParts();
          const { behaviour } = world.engine;
          behaviour.resultBytes = 20_000;
          const read = await readAll(open('parts'));
          expect(new Set(read.map(({ row }) => row?.id)).size).toBe(600);
          expect(read).toHaveLength(600);
          behaviour.resultBytes = 1;
          expect((await failureOf(readAll(open('parts')))).message).toContain('parts of it are missing');
          const wrong = await failureOf(open('people', { more: { warehouse: 'w2' } }).test());
          expect(wrong.message).toContain('no SQL warehouse of this id');
        });

      if (kind === 'snowflake')
        it('lets a programmatic token in, names a wrong warehouse, and takes no text with a collation as key', async () => {
          const byToken = { privateKey: undefined, token: snowflakeToken };
          expect((await open('people', { more: byToken }).test()).sample).toHaveLength(3);
          const wrong = await failureOf(open('people', { more: { warehouse: 'OTHER' } }).test());
          expect(wrong.message).toContain('names no warehouse');
          await query('CREATE TABLE folded (id char(9), updated_at timestamptz)');
          expect((await failureOf(open('folded').test())).message).toContain('TEXT COLLATE');
        });
    });
});

it.each(['people', '"..".people', 'crm.".."'])('a table of BigQuery is no path: %s', (table) => {
  const where = { kind: 'bigquery' as const, credentials: credentials(), table };
  expect(() => openSource({ ...where, updatedAt: undefined, tie: 'id' })).toThrow('dataset.table');
});

describe('settings that can not be right', () => {
  const order = { table: 'a.b', updatedAt: undefined, tie: 'id' };
  const snowflake = { kind: 'snowflake' as const, account: 'shop-main', user: 'roster', ...order };
  const bigquery = { kind: 'bigquery' as const, ...order };
  const account = { type: 'service_account', client_email: 'a@b', private_key: secret };
  it.each<[string, SourceTable, string]>([
    ['neither key nor token', snowflake, 'a private_key or a token: one of the two'],
    [
      'a key that is none',
      { ...snowflake, privateKey: secret },
      'the private key of roster is no key in PEM',
    ],
    ['an account that is none', { ...snowflake, token: secret, account: 'a/b' }, 'no account of Snowflake'],
    [
      'credentials that are no JSON',
      { ...bigquery, credentials: secret },
      'must be the key file (JSON) of a service account',
    ],
    [
      'another kind of credentials',
      { ...bigquery, credentials: JSON.stringify({ ...account, type: 'external_account' }) },
      'must be the key file (JSON) of a service account',
    ],
    [
      'a key file without a key',
      { ...bigquery, credentials: JSON.stringify(account) },
      'the private key of a@b is no key in PEM',
    ],
  ])('%s', (_, table, says) => {
    const attempt = () => openSource({ ...table, updatedAt: undefined, tie: 'id' });
    expect(attempt).toThrow(says);
    expect(attempt).toThrow(expect.objectContaining({ code: 'bad_settings', kind: 'config' }));
    expect(attempt).not.toThrow(secret);
  });
});
