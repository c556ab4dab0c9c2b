/** Against a double of Snowflake, which runs the statements on a real PostgreSQL. */
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { useDatabase } from '@roster/testkit';
import { bounds } from '../bounds.ts';
import type { SnowflakeSettings } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import { inShort, itReadsInOrder, readAll } from '../testbed.ts';
import { fillPeople, fillZipped, makeSlow, withBadServers } from '../warehouse/testbed.ts';
import type { WarehouseLimits } from '../warehouse/warehouse.ts';
import { positional } from './dialect.ts';
import { openSnowflake } from './snowflake.ts';
import { startSnowflake, token } from './testbed.ts';

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

describe('Snowflake', () => {
  let double: Awaited<ReturnType<typeof startSnowflake>>;
  useDatabase('postgresql', async (url) => {
    double = await startSnowflake(url);
    return () => double.close();
  });
  const settings = (more: Partial<SnowflakeSettings> = {}): SnowflakeSettings => ({
    kind: 'snowflake',
    account: 'shop-main',
    user: 'roster',
    warehouse: 'READING',
    endpoint: double.endpoint,
    table: 'people',
    updatedAt: 'UPDATED_AT',
    tie: 'id',
    ...('token' in more ? {} : { privateKey: double.privateKey }),
    ...more,
  });
  const open = (more: Partial<SnowflakeSettings> = {}, limits: Partial<WarehouseLimits> = {}) =>
    openSnowflake(settings(more), { ...bounds, ...limits });

  describe('as any source', () => {
    itReadsInOrder({ fill: (given) => fillPeople(double.engine, given), open: () => open() });
  });

  it('lets a token in', async () => {
    await fillPeople(double.engine, people);
    expect(inShort(await readAll(open({ token })))).toEqual(['a@1', 'b@2', 'c@3']);
    expect((await errorOf(open({ token: 'another' }).test())).code).toBe('access_denied');
  });

  it('makes values plain, and keeps microseconds and long numbers', async () => {
    await double.engine.admin.query(`
      CREATE TABLE kinds (id bigint, updated_at timestamptz, yes boolean, ratio double precision, nan double precision, amount numeric(20, 2), huge numeric(38, 0),
        at timestamp, born date, doc jsonb, raw bytea, nothing text, "odd "":1'?" text);
      INSERT INTO kinds VALUES (9007199254740993, '2026-01-31 10:00:00.123456+00', true, 0.1, 'NaN', 12.50, 123456789012345678901234567890,
        '2026-01-31 10:00:00.000001', '2000-02-29', '{"a": [1, null, {"b": "ü"}]}', '\\x00ff', NULL, 'odd')`);
    const [found] = await readAll(open({ table: 'kinds' }));
    expect(found?.row).toEqual({
      id: 9007199254740993n,
      updated_at: '2026-01-31T10:00:00.123456000Z',
      yes: true,
      ratio: 0.1,
      nan: 'NaN',
      amount: 12.5,
      huge: 123456789012345678901234567890n,
      at: '2026-01-31T10:00:00.000001000Z',
      born: '2000-02-29',
      doc: { a: [1, null, { b: 'ü' }] },
      raw: '00FF',
      nothing: null,
      'odd ":1\'?': 'odd',
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
    await double.engine.admin.query(`CREATE TABLE many (id bigint, updated_at timestamptz, payload text);
      INSERT INTO many SELECT n, timestamptz '2026-01-31' + n / 3 * interval '1 s', 'x' FROM generate_series(1, 2000) n`);
    const source = open({ table: 'many' }, { statementRows: 900 });
    const read = await readAll(source);
    expect(new Set(read.map(({ row }) => row?.id)).size).toBe(2_000);
    expect(read).toHaveLength(2_000);
    expect(await source.estimate(read[499]?.cursor, new AbortController().signal)).toBe(1_500);
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

    it('ends it in the server when its reader stops', async () => {
      const stop = new AbortController();
      const reading = expect(readAll(source, { signal: stop.signal })).rejects.toThrow('enough');
      await begun();
      await sleep(50);
      stop.abort(new Error('enough'));
      await reading;
      expect(double.cancelled).toHaveLength(1);
    });

    it('ends it in the server when its reader stops before the server has named it', async () => {
      double.state.beginMs = 100;
      const stop = new AbortController();
      const reading = expect(readAll(source, { signal: stop.signal })).rejects.toThrow('enough');
      await begun();
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

    it('waits for it no longer than its time limit', async () => {
      expect(await errorOf(open({}, { questionMs: 100 }).test())).toMatchObject({ code: 'time_limit' });
      expect(double.cancelled).toHaveLength(1);
    });
  });

  describe('says what is wrong:', () => {
    const cases: readonly [string, Partial<SnowflakeSettings>, string, string][] = [
      ['a table', { table: 'nowhere' }, 'table_missing', 'there is no table nowhere'],
      [
        'a column',
        { updatedAt: 'changed' },
        'column_missing',
        'people has no column changed; it has id, updated_at, payload',
      ],
      ['the type of a moment', { updatedAt: 'payload' }, 'wrong_type', 'column payload is of type TEXT'],
      ['the type of a tie', { tie: 'updated_at' }, 'wrong_type', 'column updated_at is of type TIMESTAMP_TZ'],
      ['a warehouse', { warehouse: 'elsewhere' }, 'bad_settings', 'names no warehouse'],
      ['a user', { user: 'somebody' }, 'access_denied', 'user somebody'],
      ['a port', { endpoint: 'http://127.0.0.1:1' }, 'connection_refused', '127.0.0.1:1'],
      ['TLS', {}, 'tls', '127.0.0.1'],
    ];
    it.each(cases)('%s', async (what, more, code, words) => {
      await fillPeople(double.engine, people);
      const endpoint = what === 'TLS' ? double.endpoint.replace('http:', 'https:') : double.endpoint;
      const error = await errorOf(open({ endpoint, ...more }).test());
      expect(error.code).toBe(code);
      expect(error.message).toContain(words);
    });

    it('a key of somebody else', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(await errorOf(readAll(open({ privateKey: pem })))).toMatchObject({
        code: 'access_denied',
        kind: 'config',
      });
    });

    it.each([
      ['no key', { privateKey: 'secret-word' }],
      ['a key and a token', { privateKey: 'secret-word', token: 'secret-word' }],
    ])('%s', (_, more) => {
      expect(() => open(more)).toThrow(SourceError);
      expect(() => open(more)).not.toThrow('secret-word');
    });

    it('no account', () => {
      const { endpoint, ...others } = settings({ account: 'a/b' });
      expect(endpoint).toBe(double.endpoint);
      expect(() => openSnowflake(others)).toThrow('this can be no account of Snowflake');
    });

    it('a statement that takes too long', async () => {
      await fillPeople(double.engine, people);
      await makeSlow(double.engine);
      expect((await errorOf(readAll(open({ table: 'slow' }, { statementMs: 300 })))).code).toBe('time_limit');
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
        expect((await errorOf(open({ endpoint }, { questionMs: 300, silenceMs: 300 }).test())).code).toBe(
          code,
        );
      }));
  });
});

it('values of statements stand where they are used', () => {
  expect(positional(`a > :2 OR "b:1" = ':1' OR c = :1 OR d = :2`, ['x', 'y'])).toEqual({
    statement: `a > ? OR "b:1" = ':1' OR c = ? OR d = ?`,
    bound: ['y', 'x', 'y'],
  });
});
