/** Redis by TLS, with an authority of one's own, as docs/redis.md says. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { promisify } from 'node:util';
import { bundleThread, certificateFor, type TestServer, testRedis, withLeastRights } from '@roster/testkit';
import { Redis } from 'ioredis';

jest.setTimeout(60_000);

const run = promisify(execFile);

/** A process that asks, and says what it was answered, or why it was not. */
const contents = `
  import { openConnection } from './connection.ts';
  const redis = openConnection('operator', process.argv[2]);
  try {
    await redis.connect();
    console.log(await redis.incr('roster:asked'));
  } catch (error) {
    console.log(error.code ?? error.message);
  }
  process.exit();
`;

let folder: string;
let redis: Redis;
let server: TestServer;
let tls: Server;
let asUser: string;

/** What TLS carries goes on to Redis. */
const listen = async (): Promise<Server> => {
  const target = new URL(server.url);
  const { key, certificate } = certificateFor('localhost');
  writeFileSync(join(folder, 'authority.pem'), certificate);
  const opened = createServer({ key, cert: certificate }, (socket) => {
    const onward = connect(Number(target.port), target.hostname);
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) each.on('error', () => each.destroy());
  });
  opened.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return opened;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roster-tls-'));
  server = await testRedis();
  redis = new Redis(server.url);
  asUser = await withLeastRights(redis, server.url);
  tls = await listen();
  await bundleThread(folder, { stdin: { contents, resolveDir: __dirname, sourcefile: 'asking.js' } });
});
afterAll(async () => {
  tls.close();
  redis.disconnect();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const urlAt = (host: string): string => {
  const url = new URL(asUser.replace('redis:', 'rediss:'));
  url.hostname = host;
  url.port = String((tls.address() as AddressInfo).port);
  return url.href;
};

const ask = async (url: string, env: Record<string, string> = {}): Promise<string> => {
  const asking = run(process.execPath, [join(folder, 'stdin.mjs'), url], { env: { ...process.env, ...env } });
  return (await asking).stdout.trim();
};

const trusted = () => ({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') });

it('reaches Redis as the user, when the authority is known', async () => {
  expect(await ask(urlAt('localhost'), trusted())).toBe('1');
});

it.each([
  ['of an authority that it does not know', 'localhost', () => ({}), /SELF_SIGNED|Connection is closed/],
  ['for another host', '127.0.0.1', trusted, /ALTNAME|Connection is closed/],
])('refuses a certificate %s', async (_, host, env, words) => {
  expect(await ask(urlAt(host), env())).toMatch(words);
  expect(await redis.get('roster:asked')).toBe('1');
});

it('does not speak to a server without TLS', async () => {
  const url = new URL(urlAt('localhost'));
  url.port = new URL(server.url).port;
  expect(await ask(url.href, trusted())).not.toMatch(/^\d/);
});
