/** The package as somebody gets it: packed, and installed into an empty project. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { operations } from '@roster/contract';
import { useFolder } from '@roster/testkit';
import { build } from 'esbuild';
import { openTestbed } from './testbed.ts';
import { version } from './version.ts';

const run = promisify(execFile);
const folder = join(__dirname, '..');

const scraps = useFolder();
let project: string;
let tarball: string;

const git = (...args: string[]) => run('git', args);
const setOrigin = async (remote: string): Promise<void> => {
  await git('-C', scraps('clone'), 'config', 'remote.origin.url', remote);
};

/** As `npm run client` does it, in a clone with this origin. */
const pack = async (): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(folder, 'build/pack.mjs'), scraps(), scraps('clone')]);
  return stdout.trim();
};

const quietly = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];

beforeAll(async () => {
  project = scraps('project');
  await mkdir(project);
  await git('init', '--quiet', scraps('clone'));
  await setOrigin('git@git.example.com:shop/roster.git');
  tarball = await pack();
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'somebody', private: true }));
  await run('npm', ['install', ...quietly, tarball], { cwd: project });
});

const installed = (path: string): string => join(project, 'node_modules/@roster/client', path);

const put = async (name: string, text: string): Promise<string> => {
  await writeFile(join(project, name), text);
  return join(project, name);
};

it('holds what runs with its source maps, the types once, the pages about it, and no dependency', async () => {
  expect((await readdir(installed('dist'))).toSorted()).toEqual([
    'index.cjs',
    'index.cjs.map',
    'index.d.cts',
    'index.d.ts',
    'index.js',
    'index.js.map',
  ]);
  expect((await readdir(installed('.'))).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ]);
  const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8'));
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    expect(manifest[kind]).toBeUndefined();
  expect(manifest.sideEffects).toBe(false);
  expect(manifest.homepage).toBe('https://git.example.com/shop/roster#readme');
  expect(manifest.repository).toEqual({
    type: 'git',
    url: 'git+https://git.example.com/shop/roster.git',
    directory: 'packages/client',
  });
  expect(manifest.version).toBe(version);
  expect(await readFile(installed('LICENSE'))).toEqual(await readFile(join(folder, '../../LICENSE')));
  expect(await readFile(installed('CHANGELOG.md'), 'utf8')).toContain(`## ${version}`);
  for (const file of ['index.js', 'index.cjs'])
    expect(await readFile(installed(`dist/${file}`), 'utf8')).not.toMatch(/\bimport .* from|require\(|node:/);
  expect((await readFile(installed('dist/index.d.ts'), 'utf8')).length).toBeLessThan(100);
});

it('leads from a line that runs to the line of its source', async () => {
  const file = await put(
    'trace.mjs',
    `import { Roster } from '@roster/client';
    try { new Roster({ url: '' }); } catch (error) { console.log(error.stack); }`,
  );
  const { stdout } = await run(process.execPath, ['--enable-source-maps', file]);
  expect(stdout).toMatch(/src\/checked\.ts:\d+/);
  expect(await readFile(installed('dist/index.js.map'), 'utf8')).not.toContain(join(folder, '..'));
});

const typed = `
import { about, type Answer, type Body, type Codes, type OperationId, Roster, RosterError } from '@roster/client';
const roster: Roster = new Roster({ url: 'http://127.0.0.1:9', key: 'k' });
const body: Body<'users.track'> = {
  attributes: [{ external_id: 'ada', first_name: 'Ada', shoes: { inc: 1 } }],
  events: [{ external_id: 'ada', name: 'seen', time: '2026-01-31T12:00:00Z' }],
};
export const track = async (): Promise<number | undefined> => {
  const answer: Answer<'users.track'> = await roster.users.track(body, { wait: 5 });
  return about(answer)?.isFresh ? answer.events_processed : undefined;
};
export const read = async (): Promise<string> => (await roster.requests.read('r1')).state;
export const center = () => roster.preference_center.user.get('center', 'ada');
export async function* changes() {
  for await (const { to } of roster.subscription.history({ external_id: 'ada' })) yield to;
}
export const code: Codes<'users.track'> = 'NO_VALID_DATA';
export const id: OperationId = 'users.track.bulk';
export const isOurs = (error: unknown): boolean => error instanceof RosterError && error.field === 'events';
// @ts-expect-error
roster.users.track({ events: [{ external_id: 'ada', time: 'now' }] });
// @ts-expect-error
roster.requests.read(5);
// @ts-expect-error
roster.subscription.status.get({ external_id: ['ada'] });
// @ts-expect-error
export const none: Codes<'users.track'> = 'PERSON_UNKNOWN';
// @ts-expect-error
roster.users.greet();
interface Mine {
  plan: 'free' | 'team';
  visits: number;
  shoes: string[];
}
const mine = new Roster<{ attributes: Mine }>({ url: 'http://127.0.0.1:9', key: undefined, timeout: undefined });
export const set = async () => {
  const changes = { plan: 'team', visits: { inc: 1 }, shoes: { add: ['red'] }, first_name: 'Ada' } as const;
  await mine.users.track({ attributes: [{ external_id: 'ada', plan: null }] });
  await mine.users.track.bulk({ attributes: [{ external_id: 'ada', plan: 'free', visits: 3 }] });
  const outcome = await mine.batch().attributes({ external_id: 'ada', plan: changes.plan, visits: changes.visits });
  if (outcome.state === 'applied' && outcome.result === 'created') return mine.users.delete({ external_ids: ['ada'] });
  return outcome.state === 'refused' && outcome.code === 'TIME_INVALID';
};
export class Ours extends Roster<{ attributes: Mine }> {
  greet = () => this.users.track({ attributes: [{ external_id: 'ada', shoes: ['red'] }] });
}
export const lists = async () => {
  await roster.users.export.ids({ external_ids: ['ada'], fields_to_export: ['first_name'] });
  await roster.content_blocks.list({ limit: 5 });
  await roster.subscription.history({ external_id: 'ada', limit: 5 });
  await roster.scim.users.list({ startIndex: 1, count: 5 });
  await roster.webhooks.unwrap('{}', new Map([['webhook-id', 'm1']]));
  await roster.webhooks.unwrap('{}', new Headers(await roster.webhooks.sign('{}')));
};
// @ts-expect-error
mine.users.track({ attributes: [{ external_id: 'ada', plan: 'gold' }] });
// @ts-expect-error
mine.batch().attributes({ external_id: 'ada', visits: 'three' });
// @ts-expect-error
roster.users.export.ids({ external_ids: ['ada'], fields_to_export: ['shoe_size'] });
// @ts-expect-error
export const wrong = (error: RosterError) => error.code === 'TIME_INVALIDE';
`;

const modules = join(__dirname, '../../../node_modules');

/** That of the tools is one of the fifth line. */
const compilers = {
  'TypeScript 5': join(modules, '@arethetypeswrong/core/node_modules/typescript/bin/tsc'),
  'TypeScript 7': join(modules, 'typescript/bin/tsc'),
};

/** Complains in the words of the compiler. */
const compile = async (
  compiler: keyof typeof compilers,
  names: readonly string[],
  module: string,
  moduleResolution: string,
) => {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    types: [],
    module,
    moduleResolution,
  };
  await put('tsconfig.json', JSON.stringify({ compilerOptions, files: names }));
  return run(process.execPath, [compilers[compiler], '-p', 'tsconfig.json'], { cwd: project }).catch(
    ({ stdout }) => {
      throw new Error(stdout);
    },
  );
};

it.each([
  ['TypeScript 5', ['typed.mts', 'typed.cts'], 'node16', 'node16'],
  ['TypeScript 7', ['typed.ts'], 'esnext', 'bundler'],
] as const)(
  '%s knows its types: %j, module %s, resolved as by %s',
  async (compiler, names, module, resolution) => {
    for (const name of names) await put(name, typed);
    await compile(compiler, names, module, resolution);
  },
);

describe('the addresses in its manifest', () => {
  const addressOf = async (remote: string): Promise<unknown> => {
    await setOrigin(remote);
    const script = `import { membersFor } from ${JSON.stringify(join(folder, 'build/repository.mjs'))};
      console.log(JSON.stringify(membersFor(${JSON.stringify(scraps('clone'))})?.homepage ?? null));`;
    return saidBy(script);
  };

  it.each([
    ['https://git.example.com/shop/roster.git', 'https://git.example.com/shop/roster#readme'],
    ['https://me:secret@git.example.com:8443/roster', 'https://git.example.com:8443/roster#readme'],
    ['git@git.example.com:team/shop/roster.git', 'https://git.example.com/team/shop/roster#readme'],
    ['ssh://git@git.example.com:2222/roster.git', 'https://git.example.com/roster#readme'],
    ['/srv/roster', null],
    ['file:///srv/roster', null],
    ['http://git.example.com/roster', null],
    ['https://localhost/roster', null],
    ['ssh://git@10.0.0.5/roster.git', null],
    ['work:roster.git', null],
  ])('%s is %s', async (remote, address) => expect(await addressOf(remote)).toBe(address));

  it('are left out, and told, where there is no such origin', async () => {
    await git('init', '--quiet', scraps('none'));
    const args = [join(folder, 'build/pack.mjs'), scraps('none'), scraps('none')];
    const { stdout, stderr } = await run(process.execPath, args);
    expect(stderr).toContain('It has no "repository" and no "homepage"');
    const { stdout: packed } = await run('tar', ['-xzOf', stdout.trim(), 'package/package.json']);
    expect(Object.keys(JSON.parse(packed))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(homepage|repository)$/)]),
    );
  });
});

it('shows of each operation in the editor what the reference says', async () => {
  const text = await readFile(installed('dist/index.d.cts'), 'utf8');
  for (const { id, summary, method, path } of operations) {
    expect(text).toContain(`* ${summary}`);
    expect(text).toContain(`\`${method} ${path}\``);
    expect(text).toContain(`'${id}': {`);
  }
  expect(text).not.toContain('@roster/contract');
});

const minified = async (text: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: project },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  });
  return outputFiles[0]?.text ?? '';
};

const sizeOf = (text: string): number => gzipSync(text, { level: 9 }).length;

it('has at most 10 kB for a browser, compressed, and less where less is used', async () => {
  const all = await minified(`export * from '@roster/client';`);
  expect(sizeOf(all)).toBeLessThanOrEqual(10_000);
  expect(all).not.toMatch(/\bBuffer\b|node:/);
  expect(sizeOf(await minified(`export { RosterError } from '@roster/client';`))).toBeLessThan(1500);
  expect(sizeOf(await minified(`export { Roster } from '@roster/client';`))).toBeLessThan(sizeOf(all));
});

it('runs where there is nothing but fetch with what belongs to it, timers and web crypto', async () => {
  const script = await minified(
    `import { Roster } from '@roster/client'; globalThis.made = new Roster({ url: 'http://a.example', key: 'k', fetch: async (url, init) => new Response(JSON.stringify({ url, message: init.headers['idempotency-key'] })) });`,
  );
  const file = await put(
    'bare.mjs',
    `import vm from 'node:vm';
    const globals = { URL, URLSearchParams, TextEncoder, TextDecoder, Headers, Response, AbortController, setTimeout, clearTimeout, crypto };
    const context = vm.createContext(globals);
    context.globalThis = context;
    vm.runInContext(${JSON.stringify(script)}, context);
    console.log(JSON.stringify(await context.made.users.track({})));`,
  );
  expect(JSON.parse((await run(process.execPath, [file])).stdout)).toEqual({
    url: 'http://a.example/users/track',
    message: expect.stringMatching(/^.{36}$/),
  });
});

/** Tools that are ES modules run outside of jest. */
const saidBy = async (script: string): Promise<unknown> => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  return JSON.parse(stdout);
};

it('is as publint asks', async () => {
  const script = `import { publint } from 'publint';
    const { messages } = await publint({ pkgDir: ${JSON.stringify(installed('.'))}, strict: true, pack: false });
    console.log(JSON.stringify(messages));`;
  expect(await saidBy(script)).toEqual([]);
});

it('has the right types for every way to import it', async () => {
  const script = `import { readFileSync } from 'node:fs';
    import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
    const found = await checkPackage(createPackageFromTarballData(readFileSync(${JSON.stringify(tarball)})));
    console.log(JSON.stringify(found.problems));`;
  expect(await saidBy(script)).toEqual([]);
});

it.each([
  ['users.track()', `users.track({ attributes: [{ external_id: 'ada' }] })`],
  ['an entry of a batch', `batch({ maxDelay: 60_000 }).attributes({ external_id: 'ada' })`],
])('sends %s when the process ends right after it, and again when the answer is lost', async (_, call) => {
  const testbed = await openTestbed();
  try {
    testbed.answer(() => {
      const sent = testbed.arrived.length;
      if (sent === 1) return 'hang up';
      return { status: sent === 2 ? 503 : 201, body: {} };
    });
    const file = await put(
      'exit.mjs',
      `import { Roster } from '@roster/client';
      new Roster({ url: '${testbed.url}', key: 'k' }).${call};`,
    );
    await run(process.execPath, [file]);
    expect(testbed.arrived.map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => ({ attributes: [{ external_id: 'ada' }] })),
    );
    const keys = testbed.arrived.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  } finally {
    await testbed.close();
  }
});
