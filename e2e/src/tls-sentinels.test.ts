/** Redis and a Sentinel that speak TLS alone, with a certificate of their own, and the command as it is typed. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { ensureRedis, type Kind, makePrivateFolder, type Server, startServer } from '@roster/local-stack';
import { certificateFor, useFolder } from '@roster/testkit';

jest.setTimeout(60_000);

const inFolder = useFolder();
const run = promisify(execFile);
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

const speaks = (port: number, ca: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port, ca }, () => socket.write('PING\r\n'));
    socket.once('error', reject).once('data', () => {
      socket.destroy();
      resolve();
    });
  });

const start = async (name: string, ca: string, more: string[]): Promise<Server> => {
  const dir = inFolder(name);
  makePrivateFolder(dir);
  const files = ['--tls-cert-file', inFolder('ca.pem'), '--tls-key-file', inFolder('key.pem')];
  const kind: Kind = {
    name,
    program: () => ensureRedis(),
    args: (_, port) => [
      ...more,
      ...['--port', '0', '--tls-port', String(port), '--tls-replication', 'yes', '--tls-auth-clients', 'no'],
      ...[...files, '--tls-ca-cert-file', inFolder('ca.pem')],
    ],
    url: (port) => `rediss://localhost:${port}`,
    settle: (port) => speaks(port, ca),
  };
  const server = await startServer(kind, { dir });
  servers.push(server);
  return server;
};

const roster = async (url: string, env: Record<string, string>) =>
  run(process.execPath, [join(__dirname, '../../bundle/roster.js'), 'partitions'], {
    env: { ...process.env, REDIS_URL: url, ...env },
  });

it('a Redis whose Sentinels speak TLS is reached with the file of their authority, and not without it', async () => {
  makePrivateFolder(inFolder());
  const { key, certificate } = certificateFor('localhost');
  writeFileSync(inFolder('key.pem'), key);
  writeFileSync(inFolder('ca.pem'), certificate);
  const redis = await start('redis', certificate, ['--save', '']);
  const file = inFolder('sentinel.conf');
  writeFileSync(
    file,
    [
      'sentinel resolve-hostnames yes',
      'sentinel announce-hostnames yes',
      `sentinel monitor roster localhost ${redis.port} 1`,
      '',
    ].join('\n'),
  );
  const sentinel = await start('sentinel', certificate, [file, '--sentinel']);
  const url = `rediss+sentinel://localhost:${sentinel.port}/roster`;
  const { stdout } = await roster(url, { NODE_EXTRA_CA_CERTS: inFolder('ca.pem') });
  expect(stdout).toContain('there is no number yet');
  await expect(roster(url, { NODE_EXTRA_CA_CERTS: '' })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Redis at localhost:\d+ does not answer/),
  });
});
