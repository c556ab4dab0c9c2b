// HAProxy before several processes of the ingress, as it would be configured anywhere: it asks each whether it is ready, and tries another one when
// a connection is refused.
import { writeFileSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anyFreePort,
  findProgram,
  firstAnswer,
  startServer,
  type Take,
  takeLibraries,
  unpackDebian,
  writeLauncher,
} from '@roster/local-stack';

const program = 'haproxy';

/** It does not know `--version`, by which programs are tried. */
const asOthers = `#!/bin/sh
[ "$1" = --version ] && set -- -v
exec "$(dirname "$0")/haproxy.own" "$@"
`;

const take: Take = async (scraps, target, entry) => {
  const root = await unpackDebian(program, scraps);
  await copyFile(join(root, 'usr/sbin/haproxy'), `${target}.bin`);
  await chmod(`${target}.bin`, 0o755);
  await takeLibraries(root, join(entry, 'lib'));
  await writeLauncher(`${target}.own`, `${program}.bin`);
  writeFileSync(target, asOthers, { mode: 0o755 });
};

const ensureHaproxy = (): Promise<string> =>
  findProgram({
    server: 'HAProxy',
    program,
    folders: ['/usr/sbin'],
    fetches: [
      {
        entry: 'haproxy-debian',
        title: "Debian's package haproxy",
        slow: "taking it out of Debian's package haproxy",
        take,
      },
    ],
    advice: 'Install HAProxy and try again.',
  });

const settings = (port: number, backends: readonly number[]): string => `defaults
  mode http
  timeout connect 1s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 3
frontend front
  bind 127.0.0.1:${port}
  default_backend ingresses
backend ingresses
  option httpchk GET /health/ready
  default-server check inter 200ms fall 1 rise 1
${backends.map((each, n) => `  server ingress-${n + 1} 127.0.0.1:${each}\n`).join('')}`;

/** Tells once that it is there, whether or not there is anything behind it yet. */
const asked = { say: 'GET / HTTP/1.0\r\n\r\n', isGood: (data: Buffer) => String(data).startsWith('HTTP/') };

/** It stands before the ingresses at these ports of this machine. */
export const startBalancer = async (dir: string, backends: readonly number[]) => {
  const port = await anyFreePort();
  const file = join(dir, 'haproxy.cfg');
  writeFileSync(file, settings(port, backends));
  return startServer(
    {
      name: program,
      program: ensureHaproxy,
      args: () => ['-db', '-f', file],
      url: () => `http://127.0.0.1:${port}`,
      settle: () => firstAnswer(port, asked),
    },
    { dir, port },
  );
};
