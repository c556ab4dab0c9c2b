/** What scripts/lock-file.mjs holds against a lock file: ours, and copies with one thing changed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@roster/testkit';

const root = join(__dirname, '../..');
const inFolder = useFolder({ forEach: true });

interface Entry {
  version: string;
  integrity?: string;
}

const ours = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};

/** What is said about our lock file with these entries besides. */
const saidOf = (changes: Record<string, Entry>): { code: number | null; said: string } => {
  const path = inFolder('package-lock.json');
  writeFileSync(path, JSON.stringify({ ...ours, packages: { ...ours.packages, ...changes } }));
  const script = join(root, 'scripts/lock-file.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, path], { encoding: 'utf8' });
  return { code: status, said: stderr };
};

const entryOf = (name: string): Entry => {
  const entry = ours.packages[`node_modules/${name}`];
  if (!entry) throw new Error(`${name} is not installed`);
  return entry;
};

describe('the lock file', () => {
  it('is right as it is', () => {
    expect(saidOf({})).toEqual({ code: 0, said: '' });
  });

  it.each([['7.5.0'], [entryOf('mongodb').version]])('is refused with a second driver, %s', (version) => {
    const path = 'node_modules/mongoose/node_modules/mongodb';
    const { code, said } = saidOf({ [path]: { ...entryOf('mongodb'), version } });
    expect(code).toBe(1);
    expect(said).toContain(
      `mongodb is installed 2 times: ${entryOf('mongodb').version} in node_modules/mongodb, ${version} in ${path}`,
    );
  });

  it('may have twice what no manifest of ours names', () => {
    const path = 'node_modules/mongoose/node_modules/mpath';
    expect(saidOf({ [path]: { ...entryOf('mpath'), version: '0.8.0' } })).toEqual({ code: 0, said: '' });
  });

  it('is refused without a checksum', () => {
    const { version } = entryOf('mpath');
    const { code, said } = saidOf({ 'node_modules/mpath': { version } });
    expect(code).toBe(1);
    expect(said).toContain(`mpath@${version} has no sha512 checksum`);
  });
});
