// What package-lock.json installs is what it says: each package has a checksum, on every system, no registry of somebody's is named, and what a
// manifest of ours names is there once.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './processes.mjs';

const file = resolve(process.argv[2] ?? join(root, 'package-lock.json'));
const { packages } = JSON.parse(readFileSync(file, 'utf8'));
const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => ({ path, name: path.replace(/.*node_modules\//, ''), ...entry }));
const names = new Set(installed.map(({ name }) => name));

const isStrong = ({ integrity }) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '');

/** A registry without a package for another system leaves it out of the lock file without a word. */
const leftOut = ({ name, optionalDependencies = {} }) =>
  Object.keys(optionalDependencies)
    .filter((dependency) => !names.has(dependency))
    .map((dependency) => `${dependency}, which ${name} may need, is missing`);

/** They load a version of their own, and pass nothing of it to anybody. */
const alone = [
  'node_modules/@arethetypeswrong/core/node_modules/typescript',
  'node_modules/dependency-cruiser/node_modules/commander',
  'node_modules/liquidjs/node_modules/commander',
  'node_modules/s3rver/node_modules/commander',
  'node_modules/s3rver/node_modules/fast-xml-parser',
];

/** An exact version in a manifest of ours: a second one would be loaded beside it, and the two do not know each other's objects. */
const named = new Set(
  Object.entries(packages)
    .filter(([path]) => !path.includes('node_modules/'))
    .flatMap(([, manifest]) => Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    .filter(([, version]) => /^\d/.test(version))
    .map(([name]) => name),
);

/** Two places are two copies in memory, also of one version. */
const twice = [...named].flatMap((name) => {
  const found = installed.filter((one) => one.name === name && !alone.includes(one.path));
  const places = found.map(({ path, version }) => `${version} in ${path}`);
  return found.length > 1 ? [`${name} is installed ${found.length} times: ${places.join(', ')}`] : [];
});

const problems = [
  ...installed
    .filter((entry) => !isStrong(entry))
    .map(({ name, version }) => `${name}@${version} has no sha512 checksum`),
  ...installed.flatMap(leftOut),
  ...installed.filter(({ resolved }) => resolved).map(({ name }) => `${name} names the place it came from`),
  ...twice,
];
for (const problem of problems) console.error(problem);
if (problems.length > twice.length)
  console.error('Take the newest version that the registry has for every system, with npm install.');
if (twice.length > 0)
  console.error(
    'Name the version that the others bring, or hold them to ours under "overrides" of package.json.',
  );
process.exitCode = problems.length > 0 ? 1 : 0;
