/** What no well-behaved client sends: much of it is written to bare sockets, since no HTTP library would send it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { head, hold, speak } from './raw.ts';
import { fingerprint } from './stored.ts';
import { type OwnSystem, startSystem } from './system.ts';

jest.setTimeout(60_000);

let system: OwnSystem;
let before: string;

const good = { events: [{ external_id: 'edge', name: 'seen', time: '2026-01-01' }] };
const body = JSON.stringify(good);
const syntax = 'Error while parsing request body. Please check your syntax.';
const noData = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.";
const tooDeep = 'The body is nested too deeply';
const tooComplex = (what: string) =>
  expect.stringMatching(
    new RegExp(
      `^Parsing the body would take about [0-9,]+ us, and [0-9,]+ bytes may take [0-9,]+: it holds [0-9,]+ ${what}$`,
    ),
  );

const goodIsServed = async (): Promise<void> => {
  await system.caller.post('/users/track').send({ events: [] }).expect(400);
  await system.caller.get('/health/live').expect(200);
};

beforeAll(async () => {
  system = await startSystem();
  await system.track(good);
  before = await fingerprint(system);
});
afterAll(() => system.stop());
afterEach(async () => {
  await goodIsServed();
  expect(await fingerprint(system)).toBe(before);
});

describe('requests that two servers could understand differently', () => {
  const length = `Content-Length: ${body.length}`;
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  it.each<[string, () => string]>([
    ['a length and chunks', () => head(system.key, [length, 'Transfer-Encoding: chunked']) + chunked],
    ['two lengths', () => head(system.key, [length, 'Content-Length: 3']) + body],
    ['the same length twice', () => head(system.key, [length, length]) + body],
    [
      'chunks that are no longer the last coding',
      () => head(system.key, ['Transfer-Encoding: chunked, identity']) + chunked,
    ],
    ['a coding nobody knows', () => head(system.key, ['Transfer-Encoding: xchunked']) + chunked],
    ['a space before the colon', () => head(system.key, [`Content-Length : ${body.length}`]) + body],
    ['lines that end in LF alone', () => head(system.key, [length]).replaceAll('\r\n', '\n') + body],
    ['a folded header', () => head(system.key, ['X-A: b', ' c', length]) + body],
    ['a length that is no number', () => head(system.key, ['Content-Length: 1e2']) + body],
    ['a negative length', () => head(system.key, ['Content-Length: -1']) + body],
    ['a length with a sign', () => head(system.key, [`Content-Length: +${body.length}`]) + body],
    ['a NUL in a header', () => head(system.key, ['X-A: a\0b', length]) + body],
    [
      'a chunk size that is no number',
      () => `${head(system.key, ['Transfer-Encoding: chunked'])}zz\r\n${body}\r\n0\r\n\r\n`,
    ],
    [
      'an extension of 40 KB behind a chunk size',
      () =>
        `${head(system.key, ['Transfer-Encoding: chunked'])}5;a=${'x'.repeat(40_000)}\r\nhello\r\n0\r\n\r\n`,
    ],
    ['a header of 20 KB', () => head(system.key, [length, `X-Big: ${'x'.repeat(20_000)}`]) + body],
    ['a method that nobody knows', () => head(system.key, [length], { method: 'FROB' }) + body],
  ])('%s: refused, and the connection closed', async (_, bytes) => {
    const heard = await speak(system.port, [bytes()]);
    expect(heard.statuses).toHaveLength(1);
    expect([400, 413, 431]).toContain(heard.statuses[0]);
    expect(heard.closed).toBe(true);
    expect(heard.text).not.toMatch(/node:|at .*\.ts/);
  });

  it('does not take for a request what follows a body that was refused', async () => {
    const smuggled = head(system.key, [length]) + body;
    const heard = await speak(system.port, [head(system.key, ['Content-Length: 99000000']) + smuggled]);
    expect(heard.statuses).toEqual([413]);
    expect(heard.closed).toBe(true);
  });
});

describe('bodies', () => {
  const raw = (bytes: string | Buffer, headers: Record<string, string> = {}) =>
    system.caller
      .post('/users/track')
      .set({ 'content-type': 'application/json', ...headers })
      .serialize((given) => given)
      .send(bytes);
  const nested = (depth: number) =>
    `{"attributes":[{"external_id":"x","a":${'['.repeat(depth)}${']'.repeat(depth)}}]}`;
  const wide = (members: number) =>
    `{"attributes":[{"external_id":"x",${Array.from({ length: members }, (_, i) => `"k${i}":1`).join(',')}}]}`;

  it.each<[string, () => string | Buffer, number, string]>([
    ['an unfinished object', () => '{"events":[', 400, syntax],
    ['half a text', () => body.slice(0, body.length / 2), 400, syntax],
    ['nothing', () => '', 400, syntax],
    ['white space', () => '   ', 400, syntax],
    ['a comment', () => `// hello\n${body}`, 400, syntax],
    ['a trailing comma', () => '{"events":[],}', 400, syntax],
    ['two objects', () => `${body}${body}`, 400, syntax],
    ['single quotes', () => "{'events':[]}", 400, syntax],
    [
      'NaN',
      () => '{"events":[{"external_id":"x","name":"a","time":"2026-01-01","properties":{"a":NaN}}]}',
      400,
      syntax,
    ],
    ['a byte order mark', () => `\uFEFF${body}`, 400, syntax],
    ['UTF-16', () => Buffer.from(body, 'utf16le'), 400, syntax],
    ['a byte that UTF-8 does not know', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, syntax],
    [
      'an overlong form',
      () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
      400,
      syntax,
    ],
    [
      'half a surrogate in UTF-8',
      () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
      400,
      syntax,
    ],
    ['a raw NUL', () => '{"a":"\0"}', 400, syntax],
    ['51 levels', () => nested(51), 400, noData],
    ['5,000 levels', () => nested(5_000), 400, tooDeep],
    ['90,000 levels', () => nested(90_000), 400, tooDeep],
    ['400,000 levels', () => nested(400_000), 400, tooDeep],
    ['80,000 attributes', () => wide(80_000), 400, ''],
    ['30,000 entries', () => `{"events":[${'{"a":1},'.repeat(29_999)}{}]}`, 400, 'Max Input Length Exceeded'],
    ['100,000 empty entries', () => `{"events":[${'{},'.repeat(99_999)}{}]}`, 400, tooComplex('values')],
    ['3,000,001 numbers', () => `{"events":[[${'1,'.repeat(3_000_000)}1]]}`, 400, tooComplex('values')],
    ['7 MB', () => `{"a":"${'x'.repeat(7_000_000)}"}`, 413, 'Request Entity Too Large'],
    ['70 MB', () => Buffer.alloc(70_000_000, 'x'), 413, 'Request Entity Too Large'],
  ])('%s', async (_, bytes, status, message) => {
    const began = performance.now();
    const answer = await raw(bytes()).catch(() => ({
      status: 413,
      body: { message: 'Request Entity Too Large' },
    }));
    expect(answer.status).toBe(status);
    expect(answer.body.message.slice(0, message.length)).toBe(message);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('is cut off when it never ends and never said how long it is', async () => {
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const pieces = Array.from({ length: 120 }, () => piece);
    const heard = await speak(system.port, [head(system.key, ['Transfer-Encoding: chunked']), ...pieces]);
    expect(heard.statuses).toEqual([413]);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(20_000_000, 'x'))],
    ['br', Buffer.from('x')],
    ['deflate', Buffer.from('x')],
    ['gzip, gzip', Buffer.from('x')],
    ['who-knows', Buffer.from('x')],
  ])('is not unpacked when it is encoded as %s', async (encoding, bytes) => {
    const answer = await raw(bytes, { 'content-encoding': encoding }).expect(415);
    expect(answer.body.message).toBe('Unsupported Media Type');
  });

  it.each([
    'text/plain',
    'application/vnd.api+json',
    'application/json; charset=iso-8859-1',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'json',
    'application/json, text/plain',
  ])('is not read as %s', async (type) => {
    const answer = await raw(body, { 'content-type': type }).expect(415);
    expect(answer.body.message).toBe('Unsupported Media Type');
  });

  it('is not read without a content type', async () => {
    const lines = ['Host: roster', `Authorization: Bearer ${system.key}`, `Content-Length: ${body.length}`];
    const heard = await speak(
      system.port,
      [`POST /users/track HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`],
      { listenMs: 500 },
    );
    expect(heard.statuses).toEqual([415]);
  });
});

describe('slow callers', () => {
  it('are cut off while everybody else is served', async () => {
    const start = 'POST /users/track HTTP/1.1\r\nHost: roster\r\n';
    const slow = Array.from({ length: 400 }, () => hold(system.port, [start]));
    const drip = setInterval(() => {
      for (const { socket, heard } of slow) if (!heard.closed) socket.write('X');
    }, 1_000);
    const times: number[] = [];
    const until = performance.now() + 15_000;
    while (performance.now() < until && slow.some(({ heard }) => !heard.closed)) {
      const began = performance.now();
      await system.caller.get('/health/live').expect(200);
      times.push(performance.now() - began);
      await sleep(100);
    }
    clearInterval(drip);
    expect(slow.filter(({ heard }) => !heard.closed)).toHaveLength(0);
    expect(slow.every(({ heard: { text } }) => text === '' || text.startsWith('HTTP/1.1 408'))).toBe(true);
    expect(times.sort((a, b) => a - b)[Math.floor(times.length * 0.9)]).toBeLessThan(500);
    for (const { socket } of slow) socket.destroy();
  });

  it('change nothing when they leave in the middle of a body', async () => {
    const { socket } = hold(system.port, [head(system.key, ['Content-Length: 1000']) + body]);
    await sleep(200);
    socket.destroy();
    await sleep(200);
  });
});
