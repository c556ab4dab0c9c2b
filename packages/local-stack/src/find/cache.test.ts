import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir, fromCache, keepInCache } from './cache.ts';

const fill =
  (text: string) =>
  async ({ entry, scraps }: { entry: string; scraps: string }) => {
    await writeFile(join(scraps, 'wheel'), 'left over');
    await writeFile(join(entry, 'server'), text);
  };

describe('the cache', () => {
  const before = process.env.ROSTER_CACHE;
  beforeEach(async () => {
    process.env.ROSTER_CACHE = await mkdtemp(join(tmpdir(), 'roster-cache-'));
  });
  afterEach(async () => {
    await rm(cacheDir(), { recursive: true, force: true });
    if (before === undefined) delete process.env.ROSTER_CACHE;
    else process.env.ROSTER_CACHE = before;
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
