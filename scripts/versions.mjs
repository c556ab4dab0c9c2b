// node scripts/versions.mjs <version> <folder>: the bundles of the product as another version has them, or would have them, for the fault `upgrade`.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { root } from './processes.mjs';

const level = 'packages/contract/dist/level.js';

/** What is written instead of what, in which file. */
const versions = {
  /** Alias updates and purchases are new in it. */
  next: [
    [
      level,
      'const additions = []',
      "const additions = [{ level: 2, op: 'users.alias.update' }, { level: 2, op: 'users.track', member: 'purchases.product_id' }]",
    ],
    [level, 'level = 1', 'level = 2'],
  ],
  /** As it was before 0.1.0: what it does not know it puts back to the front. */
  'puts-back': [
    [
      'packages/queue/dist/work/parked.js',
      'await job.changePriority(behindTheLine);',
      'await new Promise((resolve) => setTimeout(resolve, 1000)); await job.moveToWait(token); throw new WaitingError();',
    ],
    [
      'packages/queue/dist/work/parked.js',
      'import { DelayedError }',
      'import { DelayedError, WaitingError }',
    ],
  ],
};

const edited = (edits) => ({
  name: 'version',
  setup(build) {
    const left = new Set(edits.map(([name]) => name));
    build.onEnd(() => {
      // The reader of databases is bundled by itself, and has none of them.
      if (left.size > 0 && build.initialOptions.entryPoints.ingress)
        throw new Error(`not in the bundles: ${[...left].join(', ')}`);
    });
    for (const file of [...left])
      build.onLoad({ filter: new RegExp(`/${file.replaceAll('.', '\\.')}$`) }, ({ path }) => {
        let contents = readFileSync(path, 'utf8');
        for (const [, before, after] of edits.filter(([name]) => name === file)) {
          if (!contents.includes(before)) throw new Error(`${file} has no "${before}"`);
          contents = contents.replace(before, after);
        }
        left.delete(file);
        return { contents, loader: 'js' };
      });
  },
});

/** Made anew from the tag, with the packages and scripts of its time: once for each commit. */
const ofTag = (tag, outdir) => {
  const run = (command, args, cwd = root) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const commit = run('git', ['rev-list', '-n', '1', tag]);
  const [folder, note] = [join(root, outdir), join(root, outdir, '.commit')];
  if (existsSync(note) && readFileSync(note, 'utf8') === commit) return;
  const scraps = mkdtempSync(join(tmpdir(), 'roster-version-'));
  try {
    run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, scraps]);
    run('git', ['checkout', '--quiet', commit], scraps);
    run('npm', ['ci', '--no-audit', '--no-fund'], scraps);
    run('npm', ['run', 'compile'], scraps);
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(scraps, 'bundle'), folder, { recursive: true });
    writeFileSync(note, commit);
  } finally {
    rmSync(scraps, { recursive: true });
  }
};

const [version, outdir] = process.argv.slice(2);
if (Object.hasOwn(versions, version))
  await bundle('product', { outdir, plugins: [edited(versions[version])] });
else if (/^v\d/.test(version)) ofTag(version, outdir);
else throw new Error(`a version: ${Object.keys(versions).join(', ')}, or a tag such as v0.1.0`);
