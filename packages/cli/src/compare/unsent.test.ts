/** Writes that did not reach Roster: kept at the end of a comparison, and sent by the command that the page names. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { textOf, until, useFolder } from '@roster/testkit';
import { runCommand } from '../program.ts';
import { anIo } from '../test-io.ts';
import { away, headers, post, serve, success } from './testbed.ts';

const inFolder = useFolder();

const env = (url: string) => ({ ROSTER_URL: url, ROSTER_API_KEY: 'key' });

/** Ctrl-C comes when all of it is answered by the hosted service, and Roster has one of them. */
const comparedUntilCtrlC = async (file: string, ours: RequestListener) => {
  const { io, out, err } = anIo({ env: env(await serve(ours)) });
  const from = await serve(success);
  const ended = runCommand(['compare', '--from', from, '--port', '0', '--unsent', file], io);
  const [, url] = await until(() => /(http:\/\/127\.0\.0\.1:\d+) goes on/.exec(err()));
  for (const name of ['a', 'b', 'c']) await post(`${url}/users/track`, { events: [{ name }] });
  await fetch(`${url}/content_blocks/list`, { headers });
  process.emit('SIGINT');
  return { code: await ended, out: out(), err: err() };
};

const send = async (file: string, url: string) => {
  const { io, out, err } = anIo({ env: env(url) });
  Object.assign(io, { readText: (path: string) => readFileSync(path, 'utf8') });
  return { code: await runCommand(['send-unsent', file], io), out: out(), err: err() };
};

/** The 403 is that of a firewall. */
const keeping =
  (seen: string[], answer: (number: number) => number): RequestListener =>
  async (request, response) => {
    seen.push(`${request.headers['idempotency-key']} ${await textOf(request)}`);
    const status = answer(seen.length);
    const body = { message: 'm', ...(status === 400 && { code: 'REFUSED' }) };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

it('are kept, and sent later in their order and under their keys', async () => {
  const file = inFolder('later.ndjson');
  const ended = await comparedUntilCtrlC(file, away);
  expect([ended.code, ended.err]).toEqual([0, expect.stringContaining(`roster send-unsent ${file}`)]);
  expect(ended.out).toBe('not compared: 4 (no answer of Roster)\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const kept = readFileSync(file, 'utf8').trim().split('\n');
  const keys = kept.map((line) => JSON.parse(line).idempotency_key);
  writeFileSync(file, `${kept.reverse().join('\n')}\n`);

  const refusing: string[] = [];
  expect((await send(file, await serve(keeping(refusing, (n) => (n === 2 ? 403 : 201))))).code).toBe(1);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);

  const seen: string[] = [];
  const sent = await send(file, await serve(keeping(seen, (n) => (n === 1 ? 400 : 201))));
  expect([sent.code, sent.out]).toEqual([0, '1 sent, 1 refused\n  users.track: m\n']);
  expect([refusing[0], ...seen]).toEqual(
    ['a', 'b', 'c'].map((name, index) => `${keys[index]} {"events":[{"name":"${name}"}]}`),
  );
  expect(existsSync(file)).toBe(false);
});

it('are not mixed with those of an earlier comparison', async () => {
  const file = inFolder('earlier.ndjson');
  writeFileSync(file, '');
  const { io, err } = anIo({ env: env('http://127.0.0.1:9') });
  expect(await runCommand(['compare', '--from', 'http://127.0.0.1:9', '--unsent', file], io)).toBe(2);
  expect(err()).toContain('send-unsent');
});

it.each([
  'nonsense',
  '{"number":1}',
  '{"number":1,"operation":"a","idempotency_key":"k","json":"","params":[1],"query":{}}',
])('are refused in a file with %s', async (line) => {
  const file = inFolder('other.ndjson');
  writeFileSync(file, line);
  const { code, err } = await send(file, 'http://127.0.0.1:9');
  expect([code, err]).toEqual([2, expect.stringContaining('line 1')]);
  expect(readFileSync(file, 'utf8')).toBe(line);
});
