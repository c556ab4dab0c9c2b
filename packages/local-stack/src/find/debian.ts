/**
 * Debian's redis-server, taken out of its package without installing it: no root is needed, and no system daemon is
 * started. The libraries that it needs and that are not installed are put beside it.
 */
import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { mustRun, onPath, runCommand } from './command.ts';

const isRoot = (): boolean => process.getuid?.() === 0;

/** What `apt-get install redis-server` would add to this machine. */
const missingPackages = async (): Promise<string[]> => {
  const plan = await mustRun(
    'apt-get',
    ['install', '--simulate', '--no-install-recommends', 'redis-server'],
    {
      timeoutMs: 30_000,
    },
  );
  return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name ?? '');
};

const planned = async (): Promise<string[]> => {
  const first = await missingPackages().catch(() => []);
  if (first.length > 0 || !isRoot()) return first;
  await runCommand('apt-get', ['update', '-qq'], { timeoutMs: 60_000 });
  return missingPackages();
};

const download = async (dir: string): Promise<string[]> => {
  const packages = await planned();
  if (!packages.includes('redis-server')) throw new Error('apt-get knows no package redis-server');
  await mustRun('apt-get', ['download', '-qq', ...packages], { cwd: dir, timeoutMs: 90_000 });
  return (await readdir(dir)).filter((name) => name.endsWith('.deb')).map((name) => join(dir, name));
};

const isLibrary = (name: string): boolean => /\.so(\.|$)/.test(name);

const takeLibraries = async (from: string, to: string): Promise<void> => {
  await mkdir(to);
  const files = await readdir(join(from, 'usr/lib'), { recursive: true }).catch(() => []);
  for (const name of files.filter(isLibrary))
    await copyFile(join(from, 'usr/lib', name), join(to, basename(name)));
};

/** A program that finds its own libraries. `exec`: the process id stays the server's. */
const launcher = `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/redis-server.bin" "$@"
`;

export const takeFromDebian = async (scraps: string, entry: string): Promise<void> => {
  if (!onPath('apt-get') || !onPath('dpkg-deb')) throw new Error('this is not a Debian');
  const root = join(scraps, 'root');
  for (const file of await download(scraps))
    await mustRun('dpkg-deb', ['-x', file, root], { timeoutMs: 30_000 });
  await copyFile(join(root, 'usr/bin/redis-server'), join(entry, 'redis-server.bin'));
  await takeLibraries(root, join(entry, 'lib'));
  await writeFile(join(entry, 'redis-server'), launcher);
  for (const name of ['redis-server', 'redis-server.bin']) await chmod(join(entry, name), 0o755);
};
