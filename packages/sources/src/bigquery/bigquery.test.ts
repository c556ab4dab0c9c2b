/** Google's driver against a double of BigQuery, which runs the statements on a real PostgreSQL. */

import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { heldBytes, useDatabase } from '@roster/testkit';
import { bounds } from '../bounds.ts';
import type { BigquerySettings } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import { inShort, itReadsInOrder, pagesOf, readAll } from '../testbed.ts';
import { fillPeople, makeSlow, withBadServers } from '../warehouse/testbed.ts';
import type { WarehouseLimits } from '../warehouse/warehouse.ts';
import { driver, openBigquery } from './bigquery.ts';
import { email, startBigquery } from './testbed.ts';

const own = (file: string): string => readFileSync(join(__dirname, '../..', file), 'utf8');

describe('BigQuery', () => {
  let double: Awaited<ReturnType<typeof startBigquery>>;
  useDatabase('postgresql', async (url) => {
    double = await startBigquery(url);
    return () => double.close();
  });

  const settings = (more: Partial<BigquerySettings> = {}): BigquerySettings => ({
    kind: 'bigquery',
    credentials: double.credentials(),
    endpoint: double.endpoint,
    table: 'public.people',
    updatedAt: 'UPDATED_AT',
    tie: 'id',
    ...more,
  });
  const open = (more: Partial<BigquerySettings> = {}, limits: Partial<WarehouseLimits> = {}) =>
    openBigquery(settings(more), { ...bounds, ...limits });
  const errorOf = async (work: Promise<unknown>): Promise<SourceError> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof SourceError)) throw new Error(`no error of a source: ${error}`);
    return error;
  };
  const people = [
    { id: 'a', at: '2026-01-31T10:00:00.000001Z', payload: '1' },
    { id: 'b', at: '2026-01-31T10:00:00.000001Z', payload: '2' },
    { id: 'c', at: '2026-01-31T10:00:00.000002Z', payload: '3' },
  ];

  describe('as any source', () => {
    itReadsInOrder({ fill: (given) => fillPeople(double.engine, given), open: () => open() });
  });

  describe('with statements that read two rows at a time', () => {
    it('misses no row and reads none twice', async () => {
      await fillPeople(double.engine, people);
      expect(inShort(await readAll(open({}, { statementRows: 2 })))).toEqual(['a@1', 'b@2', 'c@3']);
    });

    it('says so when more rows share moment and tie than a statement reads', async () => {
      await fillPeople(double.engine, Array(40).fill({ id: 'a', at: '2026-01-31T10:00:00Z', payload: '1' }));
      expect(await errorOf(readAll(open({}, { statementRows: 35 })))).toMatchObject({ code: 'too_large' });
      expect(await readAll(open({}, { statementRows: 41 }))).toHaveLength(40);
    });
  });

  it('makes values plain, and keeps microseconds and long numbers', async () => {
    await double.engine.admin.query(`
      CREATE TYPE address AS (city text, zip bigint);
      CREATE TABLE kinds (id bigint, updated_at timestamptz, yes boolean, ratio double precision, nan double precision, amount numeric, huge numeric,
        at timestamp, born date, doc jsonb, tags text[], home address, raw bytea, nothing text, "odd \`name\\" text);
      INSERT INTO kinds VALUES (9007199254740993, '2026-01-31 10:00:00.123456+00', true, 0.1, 'NaN', 12.5, 123456789012345678901234567890,
        '2026-01-31 10:00:00.000001', '2000-02-29', '{"a": [1, null, {"b": "ü"}]}', '{"a b",NULL}', ('Rome', 7), '\\x00ff', NULL, 'odd')`);
    const [found] = await readAll(open({ table: 'public.kinds' }));
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
      doc: { a: [1, null, { b: 'ü' }] },
      tags: ['a b', null],
      home: { city: 'Rome', zip: 7 },
      raw: 'AP8=',
      nothing: null,
      'odd `name\\': 'odd',
    });
  });

  it.each(['timestamp', 'date'])('goes on behind moments of type %s', async (type) => {
    await double.engine.admin.query(`DROP TABLE IF EXISTS moments; CREATE TABLE moments (id bigint, updated_at ${type});
      INSERT INTO moments SELECT n, timestamp '2026-01-31' + (n / 2) * interval '1 day' FROM generate_series(-6, -1) n`);
    const source = open({ table: 'public.moments' });
    const whole = await readAll(source);
    for (const [at, { cursor }] of whole.entries())
      expect(await readAll(source, { since: cursor })).toEqual(whole.slice(at + 1));
    expect(whole).toHaveLength(6);
  });

  it('reads large results part by part, and counts them', async () => {
    await double.engine.admin.query(`CREATE TABLE many (id bigint, updated_at timestamptz, payload text);
      INSERT INTO many SELECT n, timestamptz '2026-01-31' + n / 3 * interval '1 s', repeat('x', 100000) FROM generate_series(1, 600) n`);
    const source = open({ table: 'public.many' });
    let most = 0;
    let pages = 0;
    let read = 0;
    const before = heldBytes();
    for await (const { rows } of pagesOf(source)) {
      read += rows.length;
      if (pages++ % 5 === 0) most = Math.max(most, heldBytes() - before);
    }
    expect(read).toBe(600);
    expect(await source.estimate(undefined, new AbortController().signal)).toBe(600);
    expect(most).toBeLessThan(200e6);
  });

  it('reads a table of another project than that which pays', async () => {
    await fillPeople(double.engine, people);
    await double.engine.admin.query(
      'CREATE SCHEMA IF NOT EXISTS crm; CREATE OR REPLACE VIEW crm.people AS SELECT * FROM public.people',
    );
    expect(await readAll(open({ table: 'crm.people' }))).toHaveLength(3);
    // The double has no other project: the error shows which one was asked.
    expect((await errorOf(open({ table: 'elsewhere.crm.people' }).test())).code).toBe('access_denied');
  });

  it('follows no proxy that a variable names', async () => {
    await fillPeople(double.engine, people);
    const variables = { HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' };
    Object.assign(process.env, variables);
    try {
      expect(await readAll(open())).toHaveLength(3);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
  });

  it('names the version of the driver that is tested here', () => {
    const [name, version] = driver;
    expect(JSON.parse(own('package.json')).devDependencies).toMatchObject({ [name]: version });
    const guide = own('../../docs/integrations.md');
    expect(guide).toContain(`WAREHOUSE_DRIVERS="${name}@${version}"`);
  });

  describe('while a statement runs', () => {
    beforeEach(async () => {
      await fillPeople(double.engine, people);
      double.cancelled.length = 0;
      Object.assign(double.state, { isHeld: true, begun: 0 });
    });
    const begun = async () => {
      while (double.state.begun === 0) await sleep(5);
    };
    afterEach(() => {
      double.state.isHeld = false;
    });

    it('ends it in the server when its reader stops', async () => {
      const stop = new AbortController();
      const reading = expect(readAll(open(), { signal: stop.signal })).rejects.toThrow('enough');
      await begun();
      stop.abort(new Error('enough'));
      await reading;
      expect(double.cancelled).toHaveLength(1);
    });

    it('ends it in the server when the source is closed', async () => {
      const source = open();
      const reading = errorOf(readAll(source));
      await begun();
      await source.close();
      expect((await reading).code).toBe('connection_lost');
      expect(double.cancelled).toHaveLength(1);
    });

    it('waits for it no longer than its time limit', async () => {
      expect(await errorOf(readAll(open({}, { statementMs: 100 })))).toMatchObject({ code: 'time_limit' });
      expect(double.cancelled).toHaveLength(1);
    });
  });

  describe('says what is wrong:', () => {
    const cases: readonly [string, Partial<BigquerySettings>, string, string][] = [
      ['a table', { table: 'public.nowhere' }, 'table_missing', 'there is no table public.nowhere'],
      [
        'a column',
        { updatedAt: 'changed' },
        'column_missing',
        'public.people has no column changed; it has id, updated_at, payload',
      ],
      ['the type of a moment', { updatedAt: 'payload' }, 'wrong_type', 'column payload is of type STRING'],
      ['the type of a tie', { tie: 'updated_at' }, 'wrong_type', 'column updated_at is of type TIMESTAMP'],
      ['a project', { project: 'elsewhere' }, 'access_denied', 'BigQuery Job User'],
      ['a port', { endpoint: 'http://127.0.0.1:1' }, 'connection_refused', '127.0.0.1:1'],
      ['a host', { endpoint: 'http://no-such-host.invalid' }, '', 'no-such-host.invalid'],
      ['TLS', {}, 'tls', '127.0.0.1'],
    ];
    it.each(cases)('%s', async (what, more, code, words) => {
      await fillPeople(double.engine, people);
      const endpoint =
        more.endpoint ?? (what === 'TLS' ? double.endpoint.replace('http:', 'https:') : double.endpoint);
      const error = await errorOf(open({ ...more, endpoint }).test());
      if (code) expect(error.code).toBe(code);
      expect(error.message).toContain(words);
    });

    it('a key of somebody else', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const other = double.credentials({ private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) });
      const error = await errorOf(open({ credentials: other }).test());
      expect(error).toMatchObject({ code: 'access_denied', kind: 'config' });
      expect(error.message).toContain(email);
      expect((await errorOf(readAll(open({ credentials: other })))).code).toBe('access_denied');
    });

    it.each([
      ['no JSON', 'secret-word'],
      [
        'another kind of credential',
        JSON.stringify({ type: 'external_account', private_key: 'secret-word' }),
      ],
      ['no key', JSON.stringify({ type: 'service_account', client_email: 'a', private_key: 'secret-word' })],
    ])('%s', (_, credentials) => {
      expect(() => open({ credentials })).toThrow(SourceError);
      expect(() => open({ credentials })).not.toThrow('secret-word');
    });

    it('a table without a dataset', () => {
      expect(() => open({ table: 'people' })).toThrow('dataset.table');
    });

    it('a statement that takes too long', async () => {
      await fillPeople(double.engine, people);
      await makeSlow(double.engine);
      const error = await errorOf(readAll(open({ table: 'public.slow' }, { statementMs: 300 })));
      expect(error).toMatchObject({ code: 'time_limit', kind: 'passing' });
    });

    it('an answer that is too large', async () => {
      await fillPeople(double.engine, [{ id: 'a', at: '2026-01-31T10:00:00Z', payload: 'x'.repeat(20_000) }]);
      const error = await errorOf(readAll(open({}, { answerBytes: 10_000 })));
      expect(error).toMatchObject({
        code: 'not_this_protocol',
        message: expect.stringContaining('sends more'),
      });
    });

    it('a server that never answers, or hangs up', () =>
      withBadServers(async (endpoint, code) => {
        expect((await errorOf(open({ endpoint }, { questionMs: 300, silenceMs: 300 }).test())).code).toBe(
          code,
        );
      }));
  });
});
