/** The two places where any server may be without fetching it, the PATH and the cache; and how a fetched one gets into the cache. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCache, keepInCache } from './cache.ts';
import { isProgram, onPath } from './command.ts';
import type { Source } from './search.ts';
import { thatRuns } from './version.ts';

/** Puts the program at `target`, and what else it needs beside it. */
export type Take = (scraps: string, target: string, entry: string) => Promise<void>;

export const createPlaces = (program: string, least: string) => ({
  installed: (...names: string[]): Source => ({
    title: `${names.join(' or ')} on the PATH`,
    async find() {
      const found = onPath(...names);
      if (!found) throw new Error('not there');
      return thatRuns(found, least);
    },
  }),

  /** In a folder that the PATH does not name: packages put some servers there. */
  beside: (folders: readonly string[]): Source => ({
    title: `${program} in ${folders.join(' or ') || 'its usual folders'}`,
    async find() {
      const found = folders.map((folder) => join(folder, program)).find(isProgram);
      if (!found) throw new Error('not there');
      return thatRuns(found, least);
    },
  }),

  kept: (name: string): Source => ({
    title: `${name} in the cache`,
    async find() {
      const dir = await fromCache(name);
      if (!dir) throw new Error('not there');
      return thatRuns(join(dir, program), least);
    },
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
});
