// npm run release: what a release consists of, in release/<version>/: the bundles, the tarballs of the client and of the Helm chart, their digests, and the image where Docker is.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runLoud, runQuiet } from './processes.mjs';

const inRoot = (file) => readFileSync(join(root, file), 'utf8');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** What is wrong with the checkout, and what to do. */
const faultOf = (version) => {
  if (!inRoot('CHANGELOG.md').includes(`\n## ${version} - `))
    return `CHANGELOG.md has no heading "## ${version} - <date>": give "Unreleased" that name.`;
  const { version: ofClient } = JSON.parse(inRoot('packages/client/package.json'));
  if (ofClient !== version)
    return `package.json is ${version}, and packages/client/package.json is ${ofClient}.`;
  if (git('status', '--porcelain')) return 'There are changes that are not committed.';
  const tag = `v${version}`;
  return git('tag', '--points-at', 'HEAD').split('\n').includes(tag)
    ? undefined
    : `The commit has no tag ${tag}: git tag ${tag}`;
};

const done = async (command, args) => {
  const code = await runLoud(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
};

/** The same bytes from the same commit. */
const pack = (file, cwd, ...names) => {
  const time = `@${git('log', '-1', '--format=%ct')}`;
  const same = [
    '--sort=name',
    `--mtime=${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=go=rX,u+rw',
  ];
  execFileSync('tar', [...same, '-I', 'gzip -n', '-cf', file, ...names], { cwd });
};

const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

const release = async (version) => {
  const folder = join(root, 'release', version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await done(process.execPath, ['scripts/build.mjs']);
  pack(join(folder, `roster-${version}.tar.gz`), root, 'bundle', 'LICENSE');
  await done(process.execPath, ['scripts/chart.mjs', join(folder, 'roster')]);
  pack(join(folder, `roster-chart-${version}.tgz`), folder, 'roster');
  rmSync(join(folder, 'roster'), { recursive: true });
  await done(process.execPath, ['packages/client/build/pack.mjs', folder]);
  const files = readdirSync(folder).sort();
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    files.map((name) => `${digestOf(join(folder, name))}  ${name}\n`).join(''),
  );
  const hasDocker = (await runQuiet('docker', ['version']).catch(() => ({ code: 1 }))).code === 0;
  if (hasDocker) await done('docker', ['build', '--tag', `roster:${version}`, '.']);
  console.log(`release/${version}: ${[...files, 'SHA256SUMS'].join(', ')}`);
  console.log(
    hasDocker
      ? `The image is roster:${version}.`
      : `There is no image: Docker does not run here. Where it does: docker build --tag roster:${version} .`,
  );
};

const { version } = JSON.parse(inRoot('package.json'));
const fault = faultOf(version);
if (fault) {
  console.error(fault);
  process.exitCode = 1;
} else await release(version);
