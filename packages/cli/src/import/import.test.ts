/** The whole way: files, the public interface of a stack that runs, and what is stored in the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openStore, type Store } from '@roster/store';
import {
  bytesOf,
  openServer,
  type TestServer,
  testRedis,
  until,
  usedMongo,
  useFolder,
} from '@roster/testkit';
import { run } from '../test-io.ts';

const root = join(__dirname, '../../../..');
const cli = join(root, 'bundle/roster.js');

interface Local {
  baseUrl: string;
  apiKey: string;
}

/** A stack of the services that these commands talk to: all eleven take their time to start on a slow machine. */
const startServices = (redisUrl: string, mongoUrl: string, dir: string): ChildProcess => {
  const services = ['ingress', 'track', 'export'];
  const options = JSON.stringify({ dir, services, redis: { url: redisUrl }, mongo: { url: mongoUrl } });
  const door = pathToFileURL(join(root, 'packages/local-stack/dist/index.js'));
  const script = `import { startStack } from '${door}';
    const stack = await startStack(${options});
    process.once('SIGTERM', () => stack.stop());`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
};

describe('roster import and roster demo, against a stack that runs', () => {
  jest.setTimeout(180_000);
  let servers: TestServer[] = [];
  let stack: ChildProcess;
  let local: Local;
  let store: Store;
  let env: Record<string, string>;

  beforeAll(async () => {
    const dir = inFolder();
    const [redis, mongo] = [await testRedis(), await usedMongo()];
    servers = [redis, mongo];
    const urls = { REDIS_URL: redis.url, MONGO_URL: mongo.url, ROSTER_HOME: dir };
    stack = startServices(redis.url, mongo.url, dir);
    await until(() => existsSync(inFolder('local.json')));
    local = JSON.parse(readFileSync(inFolder('local.json'), 'utf8'));
    store = await openStore({ url: mongo.url, appName: 'test', patienceMs: 0 });
    env = { ...urls, ROSTER_SECRET: readFileSync(inFolder('secret'), 'utf8').trim() };
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => stack.once('exit', resolve));
    stack.kill('SIGTERM');
    await ended;
    await store.close();
    for (const server of servers) await server.close();
  });
  const inFolder = useFolder();

  const roster = (line: string) =>
    run(line, { env: { ...env, ROSTER_URL: local.baseUrl, ROSTER_API_KEY: local.apiKey } });
  const file = (name: string, lines: unknown[]): string => {
    const path = inFolder(name);
    const text = (line: unknown) => (typeof line === 'string' ? line : JSON.stringify(line));
    writeFileSync(path, `${lines.map(text).join('\n')}\n`);
    return path;
  };
  const people = async (ids: string[], fields: string[]) => {
    const response = await fetch(`${local.baseUrl}/users/export/ids`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${local.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ external_ids: ids, fields_to_export: ['external_id', ...fields] }),
    });
    return ((await response.json()) as { users: Record<string, unknown>[] }).users;
  };
  const lines = (path: string): Record<string, unknown>[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  let proxy: Awaited<ReturnType<typeof openServer>> | undefined;
  const endProxy = () => proxy?.close();
  afterEach(endProxy);

  interface Moods {
    /** How long a request is held up on its way. */
    delayMs?: (number: number) => number;
    /** Whether the answer gets lost on its way back. */
    after?: (number: number) => 'lose' | undefined;
  }
  /** Between the import and the ingress; the requests are numbered from 1. */
  const proxied = async ({ delayMs = () => 0, after = () => undefined }: Moods): Promise<string> => {
    let [begun, answered] = [0, 0];
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const held = delayMs(++begun);
      const body = await bytesOf(request);
      await sleep(held);
      const { authorization = '', 'idempotency-key': key = '', prefer } = request.headers;
      const headers = {
        Authorization: authorization,
        'Content-Type': 'application/json',
        'Idempotency-Key': String(key),
        ...(prefer !== undefined && { Prefer: String(prefer) }),
      };
      const answer = await fetch(`${local.baseUrl}${request.url}`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (after(++answered) === 'lose') return;
      const fresh = answer.headers.get('x-roster-fresh') ?? '';
      response
        .writeHead(answer.status, { 'Content-Type': 'application/json', 'X-Roster-Fresh': fresh })
        .end(text);
    };
    // Both processes may be killed meanwhile, the one that asks and the one that answers.
    proxy = await openServer((request, response) => pass(request, response).catch(() => response.destroy()));
    return proxy.url;
  };

  it('brings in people, events and purchases, and lists what was refused', async () => {
    const path = file('mixed.ndjson', [
      { external_id: 'm1', first_name: 'Ada', plan: 'pro' },
      { external_id: 'm1', name: 'mixed', time: '2026-01-31T12:00:00Z' },
      { external_id: 'm1', product_id: 'tea', currency: 'EUR', price: 4.5, time: '2026-01-31T12:00:00Z' },
      '{"external_id":',
      { external_id: 'm2', email: 'nonsense' },
      { external_id: 'm3', name: 'mixed', time: 'yesterday' },
      {
        type: 'user',
        external_id: 'm4',
        service_id: 's',
        first_name: 'Eve',
        custom_attributes: { plan: 'free' },
      },
      {
        attributes: [{ external_id: 'm5' }],
        events: [{ external_id: 'm5', name: 'mixed', time: '2026-01-31' }],
      },
    ]);
    const { code, out, err } = await roster(`import ${path} --wait`);
    expect(out).toContain('6 accepted, 3 refused\n  as attributes (4), events (3), purchases (1)\n');
    expect(out).toMatch(
      /line 4 {2}LINE_NOT_JSON[\s\S]*line 5 {2}EMAIL_BAD_FORMAT[\s\S]*service_id \(1\): Roster gives/,
    );
    expect([code, err]).toEqual([3, expect.stringContaining('has been applied')]);
    expect(lines(`${path}.refused.ndjson`)).toEqual([
      { line: 4, code: 'LINE_NOT_JSON', sentence: expect.any(String), row: '{"external_id":' },
      {
        line: 5,
        code: 'EMAIL_BAD_FORMAT',
        sentence: expect.any(String),
        row: { external_id: 'm2', email: 'nonsense' },
      },
      {
        line: 6,
        code: 'TIME_INVALID',
        sentence: expect.any(String),
        row: { type: 'event', external_id: 'm3', name: 'mixed', time: 'yesterday' },
      },
    ]);
    expect((await store.events.find()).filter(({ name }) => name === 'mixed')).toHaveLength(2);
    expect(await people(['m1', 'm4'], ['first_name', 'custom_attributes'])).toEqual([
      { external_id: 'm1', first_name: 'Ada', custom_attributes: { plan: 'pro' } },
      { external_id: 'm4', first_name: 'Eve', custom_attributes: { plan: 'free' } },
    ]);
  });

  it('reads CSV, and lists a row with a bad cell so that it can be corrected and imported', async () => {
    const path = file('cells.csv', ['Nr,Age,plan', 'c1,36,"two', 'lines"', 'c2,old,free']);
    const map = '--map Nr=external_id --map Age=age:number --types';
    expect((await roster(`import ${path} ${map}`)).code).toBe(3);
    const [refused] = lines(`${path}.refused.ndjson`);
    expect(refused).toMatchObject({
      line: 4,
      code: 'CELL_INVALID',
      row: { external_id: 'c2', age: 'old', plan: 'free' },
    });
    const corrected = file('corrected.ndjson', [{ ...Object(refused).row, age: 35 }]);
    expect((await roster(`import ${corrected} --wait`)).code).toBe(0);
    expect(await people(['c1', 'c2'], ['custom_attributes'])).toEqual([
      { external_id: 'c1', custom_attributes: { age: 36, plan: 'two\nlines' } },
      { external_id: 'c2', custom_attributes: { age: 35, plan: 'free' } },
    ]);
  });

  it('shows in a dry run which column becomes what, and sends nothing', async () => {
    const path = file('dry.csv', ['Mail,Age,Note', 'dry@example.com,36,x']);
    const map = '--map Mail=email --map Age=age:number --map Note=';
    const { code, out, err } = await roster(`import ${path} --dry-run ${map}`);
    expect(code).toBe(0);
    expect(out).toMatch(
      /Mail +email +text +"dry@example\.com"\nAge +age +number +36\nNote +\(left out\)\n\nline 2: \{/,
    );
    expect(err).toMatch(/No column is external_id[\s\S]*Nothing was sent/);
    expect(await store.profiles.findOne({ email_key: 'dry@example.com' })).toBeNull();
    expect((await roster(`import ${path} ${map}`)).err).toContain('No column is external_id');
  });

  it('judges every row in a dry run as the server does', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `dry${i},a${i}@example.com,${i}`);
    rows[210] = 'dry210,nonsense,1';
    rows[250] = 'dry250,"b@example.com,1';
    const path = file('judged.csv', ['external_id,email,age', ...rows, 'null,c@example.com,1']);
    const dry = await roster(`import ${path} --dry-run --json`);
    const { entries, first_refusals, columns_to_check } = JSON.parse(dry.out);
    expect(entries).toMatchObject({ sent: 300, accepted: 298, refused: 3 });
    expect(columns_to_check).toMatchObject([
      { column: 'age', looks_like: 'numbers' },
      { column: 'external_id', looks_like: 'a word for no value' },
    ]);
    expect(await store.profiles.findOne({ external_id: 'dry0' })).toBeNull();
    const real = await roster(`import ${path} --json`);
    expect(JSON.parse(real.out)).toMatchObject({ entries, first_refusals, columns_to_check });
    expect([dry.code, real.code]).toEqual([3, 3]);
    expect((await roster(`import ${path} --dry-run`)).out).toMatch(
      /298 accepted, 3 refused[\s\S]*line 212 {2}EMAIL_BAD_FORMAT[\s\S]*age looks like numbers.*--types age=number/,
    );
  });

  it('lists the refused rows as they stand, to be corrected and imported', async () => {
    const path = file('stands.csv', [
      'external_id,plan,note',
      's1,"pro,x',
      's2,pro,"two',
      'lines"',
      's3,pro',
    ]);
    const { out } = await roster(`import ${path}`);
    expect(out).toContain(`${path}.refused.csv the rows: correct and import that file`);
    const refused = readFileSync(`${path}.refused.csv`, 'utf8');
    expect(refused).toBe('external_id,plan,note\ns1,"pro,x\ns3,pro\n');
    const corrected = refused.replace('"pro', 'pro').replace('s3,pro', 's3,pro,y');
    writeFileSync(`${path}.refused.csv`, corrected);
    expect((await roster(`import ${path}.refused.csv --wait`)).code).toBe(0);
    expect(await people(['s1', 's2', 's3'], ['custom_attributes'])).toEqual([
      { external_id: 's1', custom_attributes: { plan: 'pro', note: 'x' } },
      { external_id: 's2', custom_attributes: { plan: 'pro', note: 'two\nlines' } },
      { external_id: 's3', custom_attributes: { plan: 'pro', note: 'y' } },
    ]);
  });

  it('tells events and purchases of CSV by their columns, and says what the rows are', async () => {
    const events = file('guessed.csv', [
      'external_id,name,time,amount',
      'e1,guessed,2026-01-31T10:00:00Z,5',
      'e2,guessed,2026-01-31T11:00:00Z,7',
    ]);
    const told = /The rows are events, as the columns name, time tell\. --type attributes/;
    const dry = await roster(`import ${events} --dry-run`);
    expect([dry.out, dry.err]).toEqual([
      expect.stringContaining('\n  as events (2)\n'),
      expect.stringMatching(told),
    ]);
    const real = await roster(`import ${events} --wait --json`);
    expect([JSON.parse(real.out).entries_as, real.err]).toEqual([{ events: 2 }, expect.stringMatching(told)]);
    expect((await store.events.find()).filter(({ name }) => name === 'guessed')).toHaveLength(2);
    const orders = file('orders.csv', [
      'external_id,product_id,currency,price,time',
      'e1,guessed,EUR,4.5,2026-01-31T10:00:00Z',
    ]);
    expect((await roster(`import ${orders} --wait`)).out).toContain('  as purchases (1)\n');
    const bought = (await store.purchases.find()).filter(({ product_id }) => product_id === 'guessed');
    expect(bought).toHaveLength(1);
    const people = await roster(`import ${events} --type attributes --restart`);
    expect([people.out, people.err]).toEqual([
      expect.stringContaining('  as attributes (2)\n'),
      expect.not.stringContaining('The rows are'),
    ]);
  });

  it('takes the types of columns', async () => {
    const path = file('typed.csv', ['external_id,age,Umsatz,vip', 't1,36,"1.234,5",yes']);
    const types = '--types age=number --types Umsatz=comma --types vip=boolean';
    expect((await roster(`import ${path} ${types} --wait`)).code).toBe(0);
    expect(await people(['t1'], ['custom_attributes'])).toEqual([
      { external_id: 't1', custom_attributes: { age: 36, Umsatz: 1234.5, vip: true } },
    ]);
  });

  it('tells what becomes of dates that Europe writes, and reads them as it is told', async () => {
    const path = file('europe.csv', [
      'external_id,born,joined',
      'eu1,21/12/1980,05/11/2024',
      'eu2,03/04/1980,13/11/2024',
    ]);
    const dry = await roster(`import ${path} --dry-run`);
    expect(dry.out).toMatch(/joined +joined +text +"05\/11\/2024" \(becomes 2024-05-11T00:00:00\.000Z\)/);
    for (const { out } of [dry, await roster(`import ${path} --wait`)]) {
      expect(out).toMatch(
        /Values to check:\n +born has dates with the day first.*as 1980-03-04.*born=date-dmy/,
      );
      expect(out).toMatch(
        /joined has dates with the day first \(13\/11\/2024\).*as 2024-05-11.*stays a text/,
      );
    }
    expect(await people(['eu1', 'eu2'], ['custom_attributes'])).toMatchObject([
      { custom_attributes: { born: '21/12/1980', joined: '2024-05-11T00:00:00.000Z' } },
      { custom_attributes: { born: '1980-03-04T00:00:00.000Z', joined: '13/11/2024' } },
    ]);
    const dates = '--types born=date-dmy --types joined=date-dmy';
    expect((await roster(`import ${path} --restart --wait ${dates}`)).out).not.toContain('Values to check');
    expect(await people(['eu1', 'eu2'], ['custom_attributes'])).toMatchObject([
      { custom_attributes: { born: '1980-12-21T00:00:00.000Z', joined: '2024-11-05T00:00:00.000Z' } },
      { custom_attributes: { born: '1980-04-03T00:00:00.000Z', joined: '2024-11-13T00:00:00.000Z' } },
    ]);
  });

  it('says what was taken and ignored, and why', async () => {
    const nobody = { alias_name: 'nobody', alias_label: 'crm' };
    const path = file('ignored.ndjson', [
      { external_id: 'i1' },
      { user_alias: nobody, name: 'ignored', time: '2026-01-31T12:00:00Z' },
      { external_id: 'i2', _update_existing_only: true, plan: 'pro' },
    ]);
    const { code, out, err } = await roster(`import ${path} --wait`);
    expect(out).toContain('1 accepted, 0 refused, 2 ignored');
    expect(out).toContain('no_such_user (2)');
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('Everything that was accepted has been applied'),
    ]);
    expect(lines(`${path}.refused.ndjson`)).toMatchObject([
      { line: 2, code: 'IGNORED', reason: 'no_such_user', row: { type: 'event', user_alias: nobody } },
      { line: 3, code: 'IGNORED', reason: 'no_such_user', row: { external_id: 'i2', plan: 'pro' } },
    ]);
    // Sent again, it is not applied again; what became of it can be asked.
    const again = await roster(`import ${path} --wait --restart --json`);
    expect([again.code, JSON.parse(again.out)]).toMatchObject([
      3,
      { ignored: { no_such_user: 2 }, entries: { accepted: 1, refused: 0, ignored: 2 }, outcome_unknown: 0 },
    ]);
  });

  it('does nothing when the file was imported already, and goes on with what was appended', async () => {
    const path = file('grows.ndjson', [{ external_id: 'g1', visits: { inc: 1 } }]);
    expect((await roster(`import ${path}`)).code).toBe(0);
    expect((await roster(`import ${path}`)).out).toContain('had been imported already');
    writeFileSync(path, `${JSON.stringify({ external_id: 'g2', visits: { inc: 1 } })}\n`, { flag: 'a' });
    expect((await roster(`import ${path} --wait`)).err).toContain('Going on from line 2');
    expect(await people(['g1', 'g2'], ['custom_attributes'])).toEqual([
      { external_id: 'g1', custom_attributes: { visits: 1 } },
      { external_id: 'g2', custom_attributes: { visits: 1 } },
    ]);
  });

  it('counts the same file once when it begins anew, and again under another name', async () => {
    const path = file('again.ndjson', [{ external_id: 'a1', visits: { inc: 1 } }]);
    for (const more of ['', '', '--run second']) await roster(`import ${path} --restart --wait ${more}`);
    expect(await people(['a1'], ['custom_attributes'])).toMatchObject([{ custom_attributes: { visits: 2 } }]);
  });

  it('applies the rows about one person in the order of the file', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => ({ external_id: `o${i % 3}`, last: i }));
    const path = file('order.ndjson', rows);
    // Every second request is overtaken by the next, unless that one waits.
    const url = await proxied({ delayMs: (number) => (number % 2 === 0 ? 0 : 60) });
    await roster(`import ${path} --url ${url} --batch-size 20 --concurrency 8 --wait`);
    const found = await people(['o0', 'o1', 'o2'], ['custom_attributes']);
    expect(found.map(({ custom_attributes }) => custom_attributes)).toEqual([
      { last: 399 },
      { last: 397 },
      { last: 398 },
    ]);
  });

  it.each([
    ['nowhere.csv', /there is no file nowhere\.csv/],
    ['people.txt', /NDJSON or CSV.*--format/],
    ['x.ndjson --types', /--types is for CSV/],
    ['x.csv --type user', /exported users are NDJSON/],
    ['x.csv --batch-size 0', /whole number from 1 to 1000/],
    ['x.csv --map a', /column=field/],
    ['--types x.csv', /column=type.*behind the file/],
    ['x.csv --types age=integer', /column=type.*one of text, number/],
    ['x.csv --types age', /column=type.*behind the file/],
    ['x.csv --types age=text,vip', /column=type/],
    ['x.csv --types age=number,vip=boolean', /--types age=number --types vip=boolean/],
    ['x.csv --types age=number --types age=text', /age is given twice/],
    ['x.csv --types --types age=number', /do not go together/],
    ['x.csv --types age=number --types', /do not go together/],
    ['x.csv --map a=b --map a=c', /a is given twice/],
    ['people.xlsx', /workbook.*CSV UTF-8/],
    ['people.xls --format csv', /workbook.*CSV UTF-8/],
    ['x.csv --url nonsense', /no address/],
  ])('says what is wrong with a command: %s', async (line, sentence) => {
    const wrong = { code: 2, out: '', err: expect.stringMatching(sentence) };
    expect(await roster(`import ${line}`)).toEqual(wrong);
  });

  it('says what to do with a wrong key, a wrong address, and a server that is away', async () => {
    const path = file('lost.ndjson', [{ external_id: 'l' }]);
    expect(await roster(`import ${path} --key wrong`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /401 Invalid API key.*ROSTER_API_KEY[\s\S]*before line 1 is done[\s\S]*roster import/,
      ),
    });
    expect((await roster(`import ${path} --url ${local.baseUrl}/x`)).err).toMatch(
      /is this the address of a Roster/,
    );
    const gone = await openServer(() => {});
    await gone.close();
    const away = await roster(`import ${path} --url ${gone.url} --give-up-after 1`);
    expect([away.code, away.err]).toEqual([1, expect.stringMatching(/ECONNREFUSED.*health\/ready/)]);
    expect(away.err).not.toContain(local.apiKey);
  });

  describe('of 1,200 rows, killed in the middle', () => {
    const children: ChildProcess[] = [];
    afterEach(() => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
    });

    /** From some request on the answers are kept back, though the server has given them. */
    const losingAnswersAfter = (count: number, lost: () => void): Promise<string> =>
      proxied({
        after(number) {
          if (number <= count) return undefined;
          lost();
          return 'lose';
        },
      });

    const start = (path: string, url: string): ChildProcess => {
      const child = spawn(process.execPath, [cli, 'import', path], {
        env: { PATH: process.env.PATH, ROSTER_URL: url, ROSTER_API_KEY: local.apiKey },
        stdio: 'pipe',
      });
      children.push(child);
      return child;
    };
    const rows = (name: string) =>
      Array.from({ length: 400 }, (_, i) => [
        { external_id: `${name}${i}`, visits: { inc: 1 }, ...(i % 40 === 0 && { email: `nonsense ${i}` }) },
        { external_id: `${name}${i}`, visits: { inc: 10 } },
        { external_id: `${name}${i}`, name, time: '2026-01-31T12:00:00Z' },
      ]).flat();
    const expectWhole = async (name: string, path: string) => {
      expect((await store.events.find()).filter((row) => row.name === name)).toHaveLength(400);
      const ids = Array.from({ length: 50 }, (_, i) => `${name}${i * 8}`);
      const visits = (await people(ids, ['custom_attributes'])).map(
        ({ custom_attributes }) => custom_attributes,
      );
      expect(visits).toEqual(ids.map((_, i) => ({ visits: (i * 8) % 40 === 0 ? 10 : 11 })));
      const refused = lines(`${path}.refused.ndjson`).map(({ line }) => line);
      expect(refused).toEqual(Array.from({ length: 10 }, (_, i) => i * 120 + 1));
    };

    it('goes on, doubles nothing, and lists each refusal once', async () => {
      const path = file('killed.ndjson', rows('k'));
      let lost = 0;
      const url = await losingAnswersAfter(10, () => void lost++);
      const child = start(path, url);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await until(() => lost === 4);
      child.kill('SIGKILL');
      await ended;
      const { code, out } = await roster(`import ${path} --wait`);
      expect([code, out]).toEqual([3, expect.stringContaining('1,190 accepted, 10 refused')]);
      await expectWhole('k', path);
    });

    it('by a Ctrl-C ends in order and says how to go on', async () => {
      const path = file('stopped.ndjson', rows('s'));
      let interrupt = () => {};
      const url = await losingAnswersAfter(6, () => interrupt());
      const child = start(path, url);
      let [out, err] = ['', ''];
      child.stdout?.on('data', (text) => {
        out += text;
      });
      child.stderr?.on('data', (text) => {
        err += text;
      });
      interrupt = () => {
        interrupt = () => {};
        child.kill('SIGINT');
        void endProxy();
      };
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect([code, out]).toEqual([1, expect.stringMatching(/stopped; everything before line \d+ is done/)]);
      expect(err).toContain(`To go on: roster import ${path}`);
      expect((await roster(`import ${path} --wait`)).code).toBe(3);
      await expectWhole('s', path);
    });
  });

  describe('roster demo', () => {
    it('makes people, events and purchases, each once', async () => {
      const line = 'demo --people 60 --days 20 --json';
      const first = await roster(line);
      expect(first.code).toBe(0);
      const made = JSON.parse(first.out);
      const names = ['app_opened', 'product_viewed', 'added_to_cart', 'newsletter_opened'];
      const counts = async () => [
        await store.profiles.countDocuments({ external_id: /^demo-1-/ }),
        (await store.events.find()).filter(({ name }) => names.includes(name)).length,
        (await store.purchases.find()).filter(({ product_id }) => !['tea', 'guessed'].includes(product_id))
          .length,
      ];
      const after = await counts();
      expect(after).toEqual([made.people.account, made.events, made.purchases]);
      expect(made.events).toBeGreaterThan(100);
      expect((await roster(line)).code).toBe(0);
      expect(await counts()).toEqual(after);
      expect(await people([made.somebody], ['email'])).toMatchObject([
        { email: expect.stringMatching(/@example\.com$/) },
      ]);
    });

    it('fills another workspace with a key of its own, which it revokes', async () => {
      const files = { 'shop.json': JSON.stringify({ id: 'shop', name: 'Shop' }) };
      expect((await run('workspace apply shop.json', { env, files })).code).toBe(0);
      const { code, out } = await roster('demo --workspace shop --people 5 --days 3');
      expect([code, out]).toEqual([0, expect.stringContaining('curl')]);
      expect(await store.profiles.countDocuments({ ws: 'shop' })).toBeGreaterThan(3);
      expect((await roster('keys list --workspace shop')).out).toMatch(/roster demo +revoked/);
    });
  });
});
