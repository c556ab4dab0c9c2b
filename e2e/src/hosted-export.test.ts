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
  [[ids], { HOSTED_KEY: '' }],
  [[ids], { HOSTED_URL: 'rest.example' }],
])('says how it is used: %j %j', async (args, variables) => {
  const { code, told } = await run(args, variables);
  expect([code, told]).toEqual([2, expect.stringContaining('node examples/hosted-export.mjs ids.txt')]);
});
