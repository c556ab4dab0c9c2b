// What package-lock.json installs is what it says: each package has a checksum, on every system, and no registry of somebody's is named.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './processes.mjs';

const file = resolve(process.argv[2] ?? join(root, 'package-lock.json'));
const { packages } = JSON.parse(readFileSync(file, 'utf8'));
const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => ({ name: path.replace(/.*node_modules\//, ''), ...entry }));
const names = new Set(installed.map(({ name }) => name));

const isStrong = ({ integrity }) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '');

/** A registry without a package for another system leaves it out of the lock file without a word. */
const leftOut = ({ name, optionalDependencies = {} }) =>
  Object.keys(optionalDependencies)
    .filter((dependency) => !names.has(dependency))
    .map((dependency) => `${dependency}, which ${name} may need, is missing`);

const problems = [
  ...installed
    .filter((entry) => !isStrong(entry))
    .map(({ name, version }) => `${name}@${version} has no sha512 checksum`),
  ...installed.flatMap(leftOut),
  ...installed.filter(({ resolved }) => resolved).map(({ name }) => `${name} names the place it came from`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  console.error('Take the newest version that the registry has for every system, with npm install.');
process.exitCode = problems.length > 0 ? 1 : 0;
