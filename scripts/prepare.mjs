// Installs what is missing and builds what is stale; says so only when there is something to do.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './lock.mjs';
import { root, runQuiet, tool } from './processes.mjs';
import { step } from './progress.mjs';

const wanted = join(root, 'package-lock.json');
const installed = join(root, 'node_modules/.package-lock.json');

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** A newer lock file with the same content (git touches files) is no reason to install again. */
const differs = () => {
  const [want, have] = [packagesOf(wanted), packagesOf(installed)];
  const isMissing = ([path, { version, optional, peer, link }]) =>
    path.startsWith('node_modules/') && !link && !optional && !peer && have[path]?.version !== version;
  const isOld = ([path, { version, link }]) => !link && want[path] && want[path].version !== version;
  return Object.entries(want).some(isMissing) || Object.entries(have).some(isOld);
};

const needsInstall = () =>
  !existsSync(installed) || (statSync(wanted).mtimeMs > statSync(installed).mtimeMs && differs());

const fail = (message) => {
  console.error(message);
  process.exit(1);
};

const quietly = ['--loglevel=error', '--no-audit', '--no-fund'];

const install = async () => {
  if (!needsInstall()) return;
  const ci = () => runQuiet('npm', ['ci', ...quietly]);
  const { code, output } = await step('installing dependencies, which takes about a minute', ci);
  if (code !== 0) fail(`${output}\nThe dependencies could not be installed.`);
};

/** A build that is up to date takes less. */
const quietMs = 1_500;

const build = async (filters) => {
  const args = [
    'run',
    'build',
    '--output-logs=errors-only',
    ...filters.map((filter) => `--filter=${filter}`),
  ];
  const turbo = () => runQuiet(process.execPath, [tool('turbo/bin/turbo'), ...args]);
  const { code, output } = await step('building', turbo, quietMs);
  if (code !== 0) fail(`${output}\nThe build failed.`);
};

const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node 20.19 or later is needed; this is ${process.version}.`);
};

/** What runs: without bench and faults, which need a build only when they are run. */
export const product = { filters: ['./packages/*', './services/*'], bundles: ['product'] };
export const everything = { filters: [], bundles: ['product', 'faults'] };

/** Without anything wanted nothing is built. */
export const prepare = async (wanted) => {
  checkNode();
  await alone(async () => {
    await install();
    if (!wanted) return;
    await build(wanted.filters);
    // What it needs may have been installed just now.
    const { bundle } = await import('./bundle.mjs');
    for (const name of wanted.bundles) await bundle(name);
  });
};
