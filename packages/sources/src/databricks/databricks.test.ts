/** Against a double of Databricks, which runs the statements on a real PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { useDatabase } from '@roster/testkit';
import { bounds } from '../bounds.ts';
import type { DatabricksSettings } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import { inShort, itReadsInOrder, readAll } from '../testbed.ts';
import { fillPeople, fillZipped, withBadServers } from '../warehouse/testbed.ts';
import type { WarehouseLimits } from '../warehouse/warehouse.ts';
import { openDatabricks } from './databricks.ts';
import { kindOfType } from './dialect.ts';
import { failure } from './errors.ts';
import { principal, startDatabricks, token } from './testbed.ts';

const people = [
  { id: 'a', at: '2026-01-31T10:00:00.000001Z', payload: '1' },
  { id: 'b', at: '2026-01-31T10:00:00.000001Z', payload: '2' },
  { id: 'c', at: '2026-01-31T10:00:00.000002Z', payload: '3' },
];

const errorOf = async (work: Promise<unknown>): Promise<SourceError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw new Error(`no error of a source: ${error}`);
  return error;
};

describe('Databricks', () => {
  let double: Awaited<ReturnType<typeof startDatabricks>>;
  useDatabase('postgresql', async (url) => {
    double = await startDatabricks(url);
    return () => double.close();
  });
  const settings = (more: Partial<DatabricksSettings> = {}): DatabricksSettings => ({
    kind: 'databricks',
    endpoint: double.endpoint,
    warehouse: 'w1',
    table: 'people',
    updatedAt: 'UPDATED_AT',
    tie: 'id',
    ...('clientId' in more ? {} : { token }),
    ...more,
  });
  const open = (more: Partial<DatabricksSettings> = {}, limits: Partial<WarehouseLimits> = {}) =>
    openDatabricks(settings(more), { ...bounds, ...limits });

  const fillMany = () =>
    double.engine.admin.query(`DROP TABLE IF EXISTS many; CREATE TABLE many (id bigint, updated_at timestamptz, payload text);
      INSERT INTO many SELECT n, timestamptz '2026-01-31' + n / 3 * interval '1 s', 'x' FROM generate_series(1, 2000) n`);

  describe('as any source', () => {
    itReadsInOrder({ fill: (given) => fillPeople(double.engine, given), open: () => open() });
  });

  describe('lets a service principal in', () => {
    beforeEach(async () => {
      await fillPeople(double.engine, people);
      double.tokens.given.clear();
      double.tokens.state.seconds = 3_600;
    });

    it('whose token serves many requests', async () => {
      expect(inShort(await readAll(open(principal)))).toEqual(['a@1', 'b@2', 'c@3']);
      expect(double.tokens.given.size).toBe(1);
    });

    it('and asks for a new token before the old one ends', async () => {
      double.tokens.state.seconds = 60;
      expect(await readAll(open(principal))).toHaveLength(3);
      expect(double.tokens.given.size).toBeGreaterThan(1);
    });

    it('but not with a wrong secret', async () => {
      const error = await errorOf(open({ ...principal, clientSecret: 'wrong-word' }).test());
      expect(error).toMatchObject({ code: 'access_denied', kind: 'config' });
      expect(error.message).toContain('client client-1');
      expect(error.message).not.toContain('wrong-word');
    });
  });

  it('makes values plain, and keeps microseconds and long numbers', async () => {
    await double.engine.admin.query(`
      CREATE TABLE kinds (id bigint, updated_at timestamptz, few smallint, yes boolean, ratio double precision, nan double precision, amount numeric(20, 2), huge numeric(38, 0),
        at timestamp, seen timestamptz, born date, doc jsonb, raw bytea, nothing text, "odd "":p1\`?" text);
      INSERT INTO kinds VALUES (9007199254740993, '2026-01-31 10:00:00.123456+00', 7, true, 0.1, 'NaN', 12.50, 123456789012345678901234567890,
        '2026-01-31 10:00:00.000001', NULL, '2000-02-29', '{"a": [1, null, {"b": "ü"}]}', '\\x00ff', NULL, 'odd')`);
    const [found] = await readAll(open({ table: 'kinds' }));
    expect(found?.row).toEqual({
      id: 9007199254740993n,
      updated_at: '2026-01-31T10:00:00.123456Z',
      few: 7,
      yes: true,
      ratio: 0.1,
      nan: 'NaN',
      amount: 12.5,
      huge: 123456789012345678901234567890n,
      at: '2026-01-31T10:00:00.000001Z',
      seen: null,
      born: '2000-02-29',
      doc: { a: [1, null, { b: 'ü' }] },
      raw: '00FF',
      nothing: null,
      'odd ":p1`?': 'odd',
    });
  });

  it.each(['timestamp', 'date'])('goes on behind moments of type %s', async (type) => {
    await double.engine.admin.query(`DROP TABLE IF EXISTS moments; CREATE TABLE moments (id bigint, updated_at ${type});
      INSERT INTO moments SELECT n, timestamp '2026-01-31' + (n / 2) * interval '1 day' FROM generate_series(-6, -1) n`);
    const source = open({ table: 'moments' });
    const whole = await readAll(source);
    for (const [at, { cursor }] of whole.entries())
      expect(await readAll(source, { since: cursor })).toEqual(whole.slice(at + 1));
    expect(whole).toHaveLength(6);
  });

  it('reads part by part and statement by statement, and counts', async () => {
    await fillMany();
    const source = open({ table: 'many' }, { statementRows: 900 });
    const read = await readAll(source);
    expect(new Set(read.map(({ row }) => row?.id)).size).toBe(2_000);
    expect(read).toHaveLength(2_000);
    expect(await source.estimate(read[499]?.cursor, new AbortController().signal)).toBe(1_500);
  });

  describe('with a result that', () => {
    beforeEach(async () => {
      await fillMany();
      double.state.begun = 0;
    });
    afterEach(() => {
      Object.assign(double.state, {
        resultBytes: 16_777_216,
        isGone: false,
        skipped: 0,
        lostChunks: 0,
        endsAs: '',
      });
    });

    it('the server cuts, goes on behind its last row', async () => {
      double.state.resultBytes = 30_000;
      const read = await readAll(open({ table: 'many' }));
      expect(new Set(read.map(({ row }) => row?.id)).size).toBe(2_000);
      expect(read).toHaveLength(2_000);
      expect(double.state.begun).toBeGreaterThan(5);
    });

    it('the server cuts before its first row, ends', async () => {
      double.state.resultBytes = 1;
      expect((await errorOf(readAll(open({ table: 'many' })))).code).toBe('not_this_protocol');
    });

    it('is gone, ends with an error that may pass', async () => {
      double.state.isGone = true;
      const error = await errorOf(readAll(open({ table: 'many' })));
      expect(error).toMatchObject({ code: 'server_error', kind: 'passing' });
      expect(error.message).toContain('no longer has the result');
    });

    it.each(['CANCELED', 'CLOSED'])(
      'comes to nothing, as %s, ends with an error that may pass',
      async (state) => {
        double.state.endsAs = state;
        const error = await errorOf(readAll(open({ table: 'many' })));
        expect(error).toMatchObject({ kind: 'passing', message: `Databricks answers with error ${state}` });
      },
    );

    it.each([
      ['has a hole', { skipped: 1 }],
      ['repeats a part', { skipped: -1 }],
      ['lacks its last part', { lostChunks: 1 }],
    ])('%s, ends', async (_, wrong) => {
      Object.assign(double.state, wrong);
      expect((await errorOf(readAll(open({ table: 'many' })))).message).toContain('do not fit together');
    });
  });

  describe('while a statement runs', () => {
    let source: ReturnType<typeof open>;
    beforeEach(async () => {
      await fillPeople(double.engine, people);
      source = open();
      await source.columns();
      double.cancelled.length = 0;
      Object.assign(double.state, { isHeld: true, begun: 0, beginMs: 0 });
    });
    afterEach(() => {
      Object.assign(double.state, { isHeld: false, beginMs: 0 });
    });
    const begun = async () => {
      while (double.state.begun === 0) await sleep(5);
    };

    it.each([
      ['', 0],
      [' before the server has named it', 100],
    ])('ends it in the server when its reader stops%s', async (_, beginMs) => {
      double.state.beginMs = beginMs;
      const stop = new AbortController();
      const reading = expect(readAll(source, { signal: stop.signal })).rejects.toThrow('enough');
      await begun();
      if (beginMs === 0) await sleep(50);
      stop.abort(new Error('enough'));
      await reading;
      expect(double.cancelled).toHaveLength(1);
    });

    it('ends it in the server when the source is closed', async () => {
      const reading = errorOf(readAll(source));
      await begun();
      await sleep(50);
      await source.close();
      expect((await reading).code).toBe('connection_lost');
      expect(double.cancelled).toHaveLength(1);
    });

    it.each([
      ['a question', () => open({}, { questionMs: 100 }).test()],
      ['the rows', () => readAll(open({}, { questionMs: 100, statementMs: 100 }))],
    ])('waits for %s no longer than the time limit', async (_, work) => {
      expect(await errorOf(work())).toMatchObject({ code: 'time_limit' });
      expect(double.cancelled).toHaveLength(1);
    });
  });

  describe('says what is wrong:', () => {
    const cases: readonly [string, Partial<DatabricksSettings>, string, string][] = [
      ['a table', { table: 'nowhere' }, 'table_missing', 'there is no table nowhere'],
      [
        'a column',
        { updatedAt: 'changed' },
        'column_missing',
        'people has no column changed; it has id, updated_at, payload',
      ],
      ['the type of a moment', { updatedAt: 'payload' }, 'wrong_type', 'column payload is of type STRING'],
      ['the type of a tie', { tie: 'updated_at' }, 'wrong_type', 'column updated_at is of type TIMESTAMP'],
      ['a warehouse', { warehouse: 'w2' }, 'bad_settings', 'no SQL warehouse of this id'],
      ['a token', { token: 'another-word' }, 'access_denied', 'the owner of the token'],
      ['a port', { endpoint: 'http://127.0.0.1:1' }, 'connection_refused', '127.0.0.1:1'],
      ['TLS', {}, 'tls', '127.0.0.1'],
    ];
    it.each(cases)('%s', async (what, more, code, says) => {
      await fillPeople(double.engine, people);
      const endpoint = what === 'TLS' ? double.endpoint.replace('http:', 'https:') : double.endpoint;
      const error = await errorOf(open({ endpoint, ...more }).test());
      expect(error.code).toBe(code);
      expect(error.message).toContain(says);
      expect(error.message).not.toMatch(/s3cret|another-word/);
    });

    it('a text with a collation as what tells rows apart', async () => {
      await double.engine.admin.query('CREATE TABLE folded (id char(9), updated_at timestamptz)');
      expect((await errorOf(open({ table: 'folded' }).test())).message).toContain(
        'STRING COLLATE UTF8_LCASE',
      );
    });

    it.each([
      ['no credential', { token: undefined }],
      ['half of a pair', { clientId: 'c' }],
      ['two credentials', { ...principal, token: 'secret-word' }],
    ])('%s', (_, more) => {
      const given = { ...settings(), ...more } as DatabricksSettings;
      expect(() => openDatabricks(given)).toThrow('a token, or a client_id and a client_secret');
    });

    it('a statement that fails, without its values', () => {
      const place = { at: 'h', who: 'w' };
      const codeOf = (message: string) => failure(message, place).code;
      expect(codeOf('[UNRESOLVED_COLUMN.WITH_SUGGESTION] a `s3cret`')).toBe('column_missing');
      expect(codeOf('[INSUFFICIENT_PERMISSIONS] no')).toBe('access_denied');
      expect(failure('[DIVIDE_BY_ZERO] s3cret', place).message).toBe(
        'Databricks answers with error DIVIDE_BY_ZERO',
      );
      expect(failure('s3cret', place).message).toBe('Databricks answers with error without a name');
    });

    it('an answer that is too large, zipped or not', async () => {
      await fillZipped(double.engine);
      const read = (answerBytes: number) => errorOf(readAll(open({ table: 'zipped' }, { answerBytes })));
      expect((await read(1_000)).message).toContain('sends more');
      expect((await read(100_000)).message).toContain('sends more');
      expect(await readAll(open({ table: 'zipped' }))).toHaveLength(500);
    });

    it('a server that never answers, or hangs up', () =>
      withBadServers(async (endpoint, code) => {
        for (const who of [{}, principal])
          expect(
            (await errorOf(open({ endpoint, ...who }, { questionMs: 300, silenceMs: 300 }).test())).code,
          ).toBe(code);
      }));
  });
});

it.each([
  ['BIGINT', 'BIGINT'],
  ['decimal(20,2)', 'DECIMAL'],
  ['ARRAY<STRUCT<a: INT>>', 'ARRAY'],
  ['TIMESTAMP_NTZ', 'TIMESTAMP_NTZ'],
  ['STRING COLLATE UTF8_LCASE', 'STRING COLLATE'],
])('the type %s is of kind %s', (type, kind) => {
  expect(kindOfType(type)).toBe(kind);
});
