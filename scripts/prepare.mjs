// Installs what is missing and builds what has changed; says so only when there is something to do.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './lock.mjs';
import { root, runQuiet } from './processes.mjs';
import { step } from './progress.mjs';
import { turboQuietly } from './turbo.mjs';

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

const build = async (tasks) => {
  const { code, output } = await step('building', () => turboQuietly(tasks), quietMs);
  if (code !== 0) fail(`${output}\nThe build failed.`);
};

/** `tasks` of turbo.json. Without any only what is missing is installed. */
export const prepare = async (...tasks) => {
  await alone(async () => {
    await install();
    if (tasks.length > 0) await build(tasks);
  });
};
