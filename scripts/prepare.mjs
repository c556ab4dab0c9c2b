// Installs what is missing and builds what is stale; says so only when there is something to do.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './lock.mjs';
import { root, runQuiet, tool } from './processes.mjs';
import { step } from './progress.mjs';
import { isStale } from './stale.mjs';

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

/** Several checkers of one project each work out the types that all need: a quarter more processor time. */
const compiler = [tool('typescript/bin/tsc'), '-b', '--checkers', '1'];

const client = 'packages/client';

const isClientStale = () =>
  isStale({
    made: [`${client}/dist/index.js`, `${client}/dist/index.d.cts`],
    files: ['package-lock.json'],
    folders: [`${client}/build`, `${client}/dist/parts`, 'packages/contract/dist'],
  });

/** Every folder that is compiled is named in tsconfig.json. */
const projectsIn = (isWanted) =>
  JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
    .references.map(({ path }) => path)
    .filter(isWanted);

/** Of the client others see only the package that is made of what the compiler has written, so it comes first. */
const commandsFor = function* (projects) {
  if (projects.includes(client)) {
    yield [...compiler, client];
    if (isClientStale()) yield [`${client}/build/build.mjs`];
  }
  yield [...compiler, ...projects];
};

const build = async (projects) => {
  const all = async () => {
    for (const command of commandsFor(projects)) {
      const { code, output } = await runQuiet(process.execPath, command);
      if (code !== 0) fail(`${output}\nThe build failed.`);
    }
  };
  await step('building', all, quietMs);
};

const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node 20.19 or later is needed; this is ${process.version}.`);
};

/** What runs: without bench and faults, which need a build only when they are run. */
const isProduct = (path) => path.startsWith('packages/') || path.startsWith('services/');

export const product = { projects: projectsIn(isProduct), bundles: ['product'] };
export const everything = { projects: projectsIn(() => true), bundles: ['product', 'faults'] };

/** Without anything wanted nothing is built. */
export const prepare = async (wanted) => {
  checkNode();
  await alone(async () => {
    await install();
    if (!wanted) return;
    await build(wanted.projects);
    // What it needs may have been installed just now.
    const { bundle } = await import('./bundle.mjs');
    for (const name of wanted.bundles) await bundle(name);
  });
};
