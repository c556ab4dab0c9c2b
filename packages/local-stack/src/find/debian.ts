/**
 * Servers taken out of Debian's packages without installing them: no root is needed, and no system daemon is started. The
 * libraries that they need and that are not installed are put beside them.
 */
import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { mustRun, onPath, runCommand } from './command.ts';

const isRoot = (): boolean => process.getuid?.() === 0;

/** What `apt-get install` would add to this machine. */
const missingPackages = async (name: string): Promise<string[]> => {
  const plan = await mustRun('apt-get', ['install', '--simulate', '--no-install-recommends', name], {
    timeoutMs: 30_000,
  });
  return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, found]) => found ?? '');
};

const planned = async (name: string): Promise<string[]> => {
  // Not in the lists: who may fetch them asks again, for others apt-get knows no such package.
  const first = await missingPackages(name).catch(() => []);
  if (first.length > 0 || !isRoot()) return first;
  await runCommand('apt-get', ['update', '-qq'], { timeoutMs: 60_000 });
  return missingPackages(name);
};

const download = async (name: string, dir: string): Promise<string[]> => {
  const packages = await planned(name);
  if (!packages.includes(name)) throw new Error(`apt-get knows no package ${name}`);
  await mustRun('apt-get', ['download', '-qq', ...packages], { cwd: dir, timeoutMs: 90_000 });
  return (await readdir(dir)).filter((file) => file.endsWith('.deb')).map((file) => join(dir, file));
};

const isLibrary = (name: string): boolean => /\.so(\.|$)/.test(name);

/** Puts all libraries of an unpacked root into one folder. */
export const takeLibraries = async (from: string, to: string): Promise<void> => {
  await mkdir(to);
  // A package without libraries.
  const files = await readdir(join(from, 'usr/lib'), { recursive: true }).catch(() => []);
  for (const name of files.filter(isLibrary))
    await copyFile(join(from, 'usr/lib', name), join(to, basename(name)));
};

/** Unpacks the package, and those that it needs and that are not installed; gives the folder that is their root. */
export const unpackDebian = async (name: string, scraps: string): Promise<string> => {
  if (!onPath('apt-get') || !onPath('dpkg-deb')) throw new Error('this is not a Debian');
  const root = join(scraps, 'root');
  for (const file of await download(name, scraps))
    await mustRun('dpkg-deb', ['-x', file, root], { timeoutMs: 60_000 });
  return root;
};

/** A program that finds its own libraries. `exec`: the process id stays the server's. */
const launcher = (program: string): string => `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/${program}" "$@"
`;

/** `target` starts the program, whose path is below the folder of `target`. */
export const writeLauncher = async (target: string, program: string): Promise<void> => {
  await writeFile(target, launcher(program));
  await chmod(target, 0o755);
};
