/** The two places where any server may be without fetching it, the PATH and the cache; and how a fetched one gets into the cache. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCache, keepInCache } from './cache.ts';
import { isProgram, onPath } from './command.ts';
import type { Source } from './search.ts';
import { thatRuns } from './version.ts';

/** Puts the program at `target`, and what else it needs beside it. */
export type Take = (scraps: string, target: string, entry: string) => Promise<void>;

export const isIntelLinux = process.platform === 'linux' && process.arch === 'x64';

export const assertIntelLinux = (): void => {
  if (!isIntelLinux) throw new Error('it is for Linux on x86-64 only');
};

/** Without `least` any version will do. */
export const createPlaces = (program: string, least?: string) => {
  const place = (title: string, look: () => string | undefined | Promise<string | undefined>): Source => ({
    title,
    async find() {
      const found = await look();
      if (!found) throw new Error('not there');
      return thatRuns(found, least);
    },
  });
  return {
    installed: (...names: string[]) => place(`${names.join(' or ')} on the PATH`, () => onPath(...names)),

    /** In a folder that the PATH does not name: packages put some servers there. */
    beside: (folders: readonly string[]) =>
      place(`${program} in ${folders.join(' or ') || 'its usual folders'}`, () =>
        folders.map((folder) => join(folder, program)).find(isProgram),
      ),

    kept: (name: string) =>
      place(`${name} in the cache`, async () => {
        const dir = await fromCache(name);
        return dir && join(dir, program);
      }),

    /** Only what runs here is kept. */
    async keep(name: string, take: Take): Promise<string> {
      const dir = await keepInCache(name, async ({ entry, scraps }) => {
        const target = join(entry, program);
        await take(scraps, target, entry);
        await chmod(target, 0o755);
        await thatRuns(target, least);
      });
      return join(dir, program);
    },
  };
};
