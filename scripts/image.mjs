// Builds the image without an engine, by the scripts that the Dockerfile runs, and tries it: `node scripts/image.mjs [--out <folder>]`. Needs Linux, root and
// Debian's apt-get. What it does not show: docs/adr/0055-the-image-holds-what-runs.md.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cache } from './cache.mjs';
import { must } from './image/commands.mjs';
import { control } from './image/controls.mjs';
import { imageConfig } from './image/dockerfile.mjs';
import { unpackLayout, writeLayout } from './image/oci.mjs';
import { judgeRoot } from './image/rules.mjs';
import { prepare, product } from './prepare.mjs';
import { root } from './processes.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(values.out ?? join(cache, 'image'));

const nodeVersion = () => /^FROM node:([\d.]+)-/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))[1];

/** The program of the base image; npm has it as a package, and checks it. */
const addNode = async (folder, scraps) => {
  const name = `node-linux-${process.arch}@${nodeVersion()}`;
  const [packed] = JSON.parse(
    await must('npm', ['pack', '--json', '--loglevel=error', name], { cwd: scraps }),
  );
  await must('tar', ['-C', scraps, '-xzf', join(scraps, packed.filename)]);
  const [bin, doc] = [join(folder, 'usr/bin'), join(folder, 'usr/share/doc/node')];
  for (const one of [bin, doc]) mkdirSync(one, { recursive: true });
  cpSync(join(scraps, 'package/bin/node'), join(bin, 'node'));
  cpSync(join(scraps, 'package/LICENSE'), join(doc, 'copyright'));
  chmodSync(join(bin, 'node'), 0o755);
};

const build = async (folder, scraps) => {
  await must(join(root, 'scripts/image/root.sh'), [folder]);
  await addNode(folder, scraps);
  // What it reads is there only after a build.
  const { fillApp } = await import('./image/app.mjs');
  const counts = await fillApp(folder, nodeVersion());
  // The files of a checkout are as its owner wants them.
  await must('chown', ['-R', '0:0', folder]);
  await must('chmod', ['-R', 'u=rwX,go=rX', join(folder, 'app')]);
  return counts;
};

const layers = [{ paths: ['.'], without: ['app'] }, { paths: ['./app'] }];

const work = async (scraps) => {
  const [made, layout, unpacked] = ['made', 'layout', 'unpacked'].map((name) => join(scraps, name));
  const { packages, components } = await build(made, scraps);
  const digest = await writeLayout(layout, made, { config: imageConfig(), layers, name: 'roster' });
  const config = await unpackLayout(layout, unpacked);
  const { bytes, files, problems } = judgeRoot(unpacked);
  console.log(
    `${files} files, ${(bytes / 1e6).toFixed(0)} MB unpacked, ${packages} packages from npm, ${components} components in the SBOM`,
  );
  problems.push(...(await control(layout, scraps)).map((one) => `not noticed: ${one}`));
  const { tryImage } = await import('./image/trial.mjs');
  problems.push(...(await tryImage(unpacked, config)));
  if (problems.length > 0) return problems;
  rmSync(out, { recursive: true, force: true });
  cpSync(layout, out, { recursive: true });
  console.log(`${out}\n${digest}`);
  return [];
};

await prepare(product);
const scraps = mkdtempSync(join(tmpdir(), 'roster-image-'));
try {
  const problems = await work(scraps);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  rmSync(scraps, { recursive: true, force: true });
}
