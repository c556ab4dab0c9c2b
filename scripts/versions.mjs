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

const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** The one with the tag, or in a clone without tags the one that gave CHANGELOG.md its heading: npm run release takes that one. */
const commitOf = (tag) => {
  if (run('git', ['tag', '--list', tag])) return run('git', ['rev-list', '-n', '1', tag]);
  const heading = `## ${tag.slice(1)} - `;
  const commit = run('git', ['log', '-S', heading, '--format=%H', '--', 'CHANGELOG.md']).split('\n').at(-1);
  // The first commit of a shallow clone has everything anew.
  if (commit && run('git', ['rev-list', '--parents', '-n', '1', commit]).includes(' ')) return commit;
  throw new Error(`There is neither a tag ${tag} nor the commit of that release here: git fetch --tags`);
};

/** Made anew from its commit, with the packages and scripts of its time: once for each commit. */
const ofRelease = (tag, outdir) => {
  const commit = commitOf(tag);
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
else if (/^v\d/.test(version)) ofRelease(version, outdir);
else throw new Error(`a version: ${Object.keys(versions).join(', ')}, or a release such as v0.1.0`);
