/** examples/hosted-export.mjs as a mover uses it: files as editors write them, and everything that may stand where the hosted service should. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf, usePeer } from '@roster/testkit';

const dir = mkdtempSync(join(tmpdir(), 'roster-hosted-'));
afterAll(() => rmSync(dir, { recursive: true }));

const peer = usePeer();
const ids = join(dir, 'ids.txt');

const script = join(__dirname, '../../examples/hosted-export.mjs');

const run = (args: string[], variables: object = {}) =>
  new Promise<{ code: unknown; out: string; told: string }>((resolve) => {
    const env = { ...process.env, HOSTED_URL: peer.url, HOSTED_KEY: 'k', ...variables };
    execFile(process.execPath, [script, ...args], { env }, (error, out, told) =>
      resolve({ code: error?.code ?? 0, out, told }),
    );
  });

/** Knows everybody but zoe. */
const people: RequestListener = async (request, response) => {
  const { external_ids } = JSON.parse(await textOf(request));
  const known = external_ids.filter((id: string) => id !== 'zoe');
  const users = known.map((external_id: string) => ({ external_id }));
  const unknown = external_ids.filter((id: string) => id === 'zoe');
  response.writeHead(request.url === '/users/export/ids' ? 201 : 404);
  response.end(JSON.stringify({ users, ...(unknown.length > 0 && { invalid_user_ids: unknown }) }));
};

const namesIn = (lines: string): string[] =>
  lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).external_id]));

const text = 'ada\r\n\r\nzoë\nzoe\n';

it.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16, the other way round', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['lines that end as on an old Mac', Buffer.from(text.replaceAll(/\r?\n/g, '\r'))],
])('reads ids in %s, and says which are unknown', async (_, bytes) => {
  peer.answer = people;
  writeFileSync(ids, bytes);
  const { code, out, told } = await run([ids], { HOSTED_URL: `${peer.url}/` });
  expect([code, namesIn(out)]).toEqual([0, ['ada', 'zoë']]);
  expect(told).toContain('3 ids exported, 1 of them unknown there.');
  expect(readFileSync(`${ids}.unknown`, 'utf8')).toBe('zoe\n');
});

it.each<[string, RequestListener, RegExp]>([
  ['{}', (_, response) => response.end('{}'), /did not answer with people: "\{\}"/],
  ['a page', (_, response) => response.end('<html>hello</html>'), /did not answer with people: "<html>/],
  [
    'a redirect',
    (_, response) => response.writeHead(301, { location: '/x' }).end(),
    /no answer: unexpected redirect/,
  ],
  ['a refusal', (_, response) => response.writeHead(401).end('who?'), /answered 401 "who\?"/],
])('ends at once, in words, when %s answers', async (_, answer, words) => {
  let asked = 0;
  peer.answer = (request, response) => {
    asked += 1;
    answer(request, response);
  };
  writeFileSync(ids, 'ada\n');
  const { code, out, told } = await run([ids]);
  expect([code, out, asked]).toEqual([1, '', 1]);
  expect(told).toMatch(words);
  expect(told).not.toMatch(/TypeError|undefined|at .*mjs/);
});

it('leaves the ids that are not done in a file to go on with', async () => {
  let asked = 0;
  peer.answer = (request, response) => {
    asked += 1;
    return asked === 1 ? people(request, response) : response.writeHead(403).end('no more');
  };
  const all = Array.from({ length: 60 }, (_, n) => `person ${n}`);
  writeFileSync(ids, all.join('\n'));
  const { code, out, told } = await run([ids]);
  expect([code, namesIn(out)]).toEqual([1, all.slice(0, 50)]);
  expect(told).toContain(`50 ids are done. For the others: node examples/hosted-export.mjs ${ids}.rest`);
  expect(readFileSync(`${ids}.rest`, 'utf8').trim().split('\n')).toEqual(all.slice(50));
});

it.each<[string[], object]>([
  [[], {}],
  [['--segment', 's1'], {}],
  [['--groups'], {}],
  [[ids], { HOSTED_KEY: '' }],
  [[ids], { HOSTED_URL: 'rest.example' }],
])('says how it is used: %j %j', async (args, variables) => {
  const { code, told } = await run(args, variables);
  expect([code, told]).toEqual([2, expect.stringContaining('node examples/hosted-export.mjs ids.txt')]);
});

describe('the subscription groups', () => {
  const file = join(dir, 'people.ndjson');
  const group = (id: string, status: string) => ({ id, name: id, channel: 'email', status });
  const write = (people: readonly object[]) =>
    writeFileSync(file, people.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const lines = (): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
  const groups = () => lines().map((line) => JSON.parse(line).subscription_groups);
  const addGroups = () => run(['--groups', file]);

  let asked: URLSearchParams[];
  beforeEach(() => {
    asked = [];
  });

  /** Answers with those of these people whom the query names, in pages. */
  const knowing =
    (
      users: readonly { [name: string]: unknown }[],
      status?: (query: URLSearchParams) => number,
    ): RequestListener =>
    ({ url = '' }, response) => {
      const { pathname, searchParams: query } = new URL(url, peer.url);
      asked.push(query);
      const refusal = pathname === '/subscription/user/status' ? (status?.(query) ?? 200) : 404;
      if (refusal !== 200) return response.writeHead(refusal).end('{"message":"no"}');
      const found = users.filter((user) =>
        ['external_id', 'email', 'phone'].some((kind) =>
          query.getAll(`${kind}[]`).includes(String(user[kind])),
        ),
      );
      const at = Number(query.get('offset'));
      const page = found.slice(at, at + Number(query.get('limit')));
      return response.end(JSON.stringify({ users: page, total_count: found.length, message: 'success' }));
    };

  it('come by external id, email and phone, and leave everything else as it was', async () => {
    const long = '{"external_id":"ada","custom_attributes":{"n":12345678901234567890,"\u2028":"\u2028"}}';
    const others = [{ email: 'Bob@example.com', phone: '+15550101' }, { phone: '+15550102' }];
    write([...others, { user_aliases: [{ alias_name: 'a', alias_label: 'b' }] }]);
    const rest = readFileSync(file, 'utf8');
    writeFileSync(file, `${long}\r\n${rest}no person`);
    peer.answer = knowing([
      { external_id: 'ada', subscription_groups: [group('g1', 'Subscribed'), group('g2', 'unknown')] },
      { email: 'bob@example.com', external_id: null, subscription_groups: [group('g1', 'Unsubscribed')] },
      { email: 'bob@example.com', external_id: 'other', subscription_groups: [group('g3', 'Subscribed')] },
      { phone: '+15550101', subscription_groups: [group('g1', 'Subscribed'), group('g4', 'Subscribed')] },
      { phone: '+15550102', external_id: null, subscription_groups: [group('g4', 'Unsubscribed')] },
    ]);
    const { code, out, told } = await addGroups();
    expect([code, out]).toEqual([0, '']);
    expect(told).toContain('3 people have their subscription groups, 4 in all.');
    expect(told).toContain('1 have no external id, email or phone');
    const [first = '', bob = '', phone = '', alias, last] = lines();
    expect(first).toBe(`${long.slice(0, -1)},"subscription_groups":[{"id":"g1","state":"subscribed"}]}`);
    expect(JSON.parse(bob).subscription_groups).toEqual([
      { id: 'g1', state: 'unsubscribed' },
      { id: 'g4', state: 'subscribed' },
    ]);
    expect(JSON.parse(phone).subscription_groups).toEqual([{ id: 'g4', state: 'unsubscribed' }]);
    expect([alias, last]).toEqual([rest.split('\n')[2], 'no person']);
  });

  it('are asked for in steps of 50, all pages, and in short addresses', async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `${'long '.repeat(40)}${n}`);
    write([...ids.map((external_id) => ({ external_id })), { email: 'a@example.com' }]);
    const shared = Array.from({ length: 250 }, (_, n) => ({
      ...{ email: 'a@example.com', external_id: n < 249 ? `other ${n}` : null },
      subscription_groups: [group('g1', 'Subscribed')],
    }));
    peer.answer = knowing(shared);
    expect((await addGroups()).code).toBe(0);
    expect(groups().at(-1)).toEqual([{ id: 'g1', state: 'subscribed' }]);
    const offsets = asked.filter((query) => query.has('email[]')).map((query) => query.get('offset'));
    expect(offsets).toEqual(['0', '100', '200']);
    const byId = asked.filter((query) => query.has('external_id[]'));
    expect(byId.flatMap((query) => query.getAll('external_id[]'))).toEqual(ids);
    for (const query of byId) expect(String(query).length).toBeLessThan(8_000);
  });

  it.each([401, 403])(
    'are left out when the key may not read them (%i), and the people stay',
    async (status) => {
      write([{ external_id: 'ada' }, { email: 'bob@example.com' }]);
      const before = readFileSync(file, 'utf8');
      peer.answer = knowing([], () => status);
      const { code, told } = await addGroups();
      expect([code, asked.length, readFileSync(file, 'utf8')]).toEqual([0, 1, before]);
      expect(told).toContain('lacks the permission subscription.groups.get');
      expect(told).not.toContain('ada');
    },
  );

  it('of one who is refused there keep nobody else from theirs', async () => {
    write([{ phone: '123' }, ...[1, 2, 3].map((n) => ({ phone: `+1555010${n}` }))]);
    const users = [1, 2, 3].map((n) => ({
      ...{ phone: `+1555010${n}`, subscription_groups: [group('g1', 'Subscribed')] },
    }));
    peer.answer = knowing(users, (query) => (query.getAll('phone[]').includes('+123') ? 400 : 200));
    const { code, told } = await addGroups();
    expect([code, groups().map((list) => list.length)]).toEqual([0, [0, 1, 1, 1]]);
    expect(told).toContain('1 names were refused there');
  });

  it('go on with those who are left after a failure', async () => {
    const people = Array.from({ length: 1_100 }, (_, n) => ({ external_id: `p${n}` }));
    write(people);
    const users = people.map((one) => ({ ...one, subscription_groups: [group('g1', 'Subscribed')] }));
    peer.answer = knowing(users, (query) => (query.getAll('external_id[]').includes('p700') ? 404 : 200));
    const { code, told } = await addGroups();
    expect([code, groups().filter(Boolean).length]).toEqual([1, 500]);
    expect(told).toContain(`For the others: node examples/hosted-export.mjs --groups ${file}`);
    asked = [];
    peer.answer = knowing(users);
    expect((await addGroups()).code).toBe(0);
    expect(groups().filter((list) => list?.length === 1)).toHaveLength(1_100);
    expect(asked).toHaveLength(12);
  });

  it.each<[string, Buffer, string]>([
    ['UTF-16', Buffer.from('\ufeff{"external_id":"ada"}\n', 'utf16le'), 'is not UTF-8'],
    ['a zip file', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe]), 'is not UTF-8'],
  ])('leave %s as it is', async (_, bytes, words) => {
    writeFileSync(file, bytes);
    const { code, told } = await addGroups();
    expect([code, readFileSync(file)]).toEqual([1, bytes]);
    expect(told).toContain(words);
  });
});
