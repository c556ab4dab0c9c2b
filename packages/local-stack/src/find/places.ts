/** Where a program is looked for: on the PATH, in the cache, and where it is fetched from, which puts it into the cache. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCache, keepInCache } from './cache.ts';
import { isProgram, onPath, runCommand } from './command.ts';
import { type Search, type Source, search } from './search.ts';

/** Puts the program at `target`, and what else it needs beside it. */
export type Take = (scraps: string, target: string, entry: string) => Promise<void>;

export const isIntelLinux = process.platform === 'linux' && process.arch === 'x64';

export const assertIntelLinux = (): void => {
  if (!isIntelLinux) throw new Error('it is for Linux on x86-64 only');
};

const numberIn = (text: string): string | undefined =>
  /(?:v=?\s?|Ver |PostgreSQL\) )(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1];

const isOlder = (version: string, least: string): boolean =>
  version.localeCompare(least, 'en', { numeric: true }) < 0;

/** The program itself, if it runs on this machine and is new enough. */
export const thatRuns = async (program: string, least?: string): Promise<string> => {
  const { ok, stdout, stderr } = await runCommand(program, ['--version'], { timeoutMs: 10_000 });
  if (!ok) throw new Error(`it does not run here: ${stderr.trim().split('\n').at(-1)}`);
  if (least === undefined) return program;
  const version = numberIn(stdout);
  if (!version) throw new Error(`it does not tell its version: ${stdout.split('\n')[0]}`);
  if (isOlder(version, least)) throw new Error(`it is ${version}, older than ${least}`);
  return program;
};

/** A way to fetch a program; it is kept in the cache under the name `entry`. */
interface Fetch {
  entry: string;
  title: string;
  slow: string;
  take: Take;
}

interface Wanted extends Omit<Search, 'sources'> {
  program: string;
  /** Other names of it on the PATH. */
  also?: readonly string[];
  /** Folders that the PATH does not name: packages put some servers there. */
  folders?: readonly string[];
  /** Without it any version will do. */
  least?: string;
  /** The very version that is fetched goes before what is installed. */
  isPinned?: true;
  fetches: readonly Fetch[];
}

/** The path of a program that runs here; fetched when there is none. */
export const findProgram = (wanted: Wanted): Promise<string> => {
  const { server, program, also = [], folders, least, isPinned = false, fetches, advice, say } = wanted;
  const place = (title: string, look: () => string | undefined | Promise<string | undefined>): Source => ({
    title,
    async find() {
      const found = await look();
      if (!found) throw new Error('not there');
      return thatRuns(found, least);
    },
  });
  /** Only what runs here is kept. */
  const keep = async ({ entry: name, take }: Fetch): Promise<string> => {
    const dir = await keepInCache(name, async ({ entry, scraps }) => {
      const target = join(entry, program);
      await take(scraps, target, entry);
      await chmod(target, 0o755);
      await thatRuns(target, least);
    });
    return join(dir, program);
  };
  const names = [program, ...also];
  const inFolders = (some: readonly string[]): Source =>
    place(`${program} in ${some.join(' or ') || 'its usual folders'}`, () =>
      some.map((folder) => join(folder, program)).find(isProgram),
    );
  const installed = [
    place(`${names.join(' or ')} on the PATH`, () => onPath(...names)),
    ...(folders ? [inFolders(folders)] : []),
  ];
  const fetched = [
    ...fetches.map(({ entry }) =>
      place(`${entry} in the cache`, async () => {
        const dir = await fromCache(entry);
        return dir && join(dir, program);
      }),
    ),
    ...fetches.map((one): Source => ({ title: one.title, slow: one.slow, find: () => keep(one) })),
  ];
  const sources = isPinned ? [...fetched, ...installed] : [...installed, ...fetched];
  return search({ server, sources, advice, say });
};
