import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@roster/testkit';
import { cacheDir, fromCache, keepInCache } from './cache.ts';

const fill =
  (text: string) =>
  async ({ entry, scraps }: { entry: string; scraps: string }) => {
    await writeFile(join(scraps, 'wheel'), 'left over');
    await writeFile(join(entry, 'server'), text);
  };

describe('the cache', () => {
  const inFolder = useFolder({ forEach: true });
  beforeEach(() => {
    process.env.ROSTER_CACHE = inFolder();
  });

  it('gives back what was kept, with its sums beside it and no scraps', async () => {
    const dir = await keepInCache('a', fill('a server'));
    expect(await fromCache('a')).toBe(dir);
    expect(await readdir(cacheDir())).toEqual(['a']);
    expect(await readFile(join(dir, 'SHA256SUMS'), 'utf8')).toMatch(/^[0-9a-f]{64} {2}server\n$/);
  });

  it('has nothing that was not kept', async () => {
    expect(await fromCache('a')).toBeUndefined();
  });

  it('throws away what was tampered with', async () => {
    const dir = await keepInCache('a', fill('a server'));
    await appendFile(join(dir, 'server'), '!');
    expect(await fromCache('a')).toBeUndefined();
    expect(await readdir(cacheDir())).toEqual([]);
  });

  it('throws away what has a file too many', async () => {
    const dir = await keepInCache('a', fill('a server'));
    await writeFile(join(dir, 'libevil.so'), '');
    expect(await fromCache('a')).toBeUndefined();
  });

  it('lets two fetch the same at once, and keeps one', async () => {
    const dirs = await Promise.all([keepInCache('a', fill('one')), keepInCache('a', fill('two'))]);
    expect(new Set(dirs).size).toBe(1);
    expect(await fromCache('a')).toBe(dirs[0]);
    expect(await readdir(cacheDir())).toEqual(['a']);
  });

  it('leaves nothing behind when a fetch fails', async () => {
    await expect(keepInCache('a', () => Promise.reject(new Error('no network')))).rejects.toThrow(
      'no network',
    );
    expect(await readdir(cacheDir())).toEqual([]);
  });
});
