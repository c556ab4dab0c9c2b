// What package-lock.json installs is what it says: each package has a checksum, and no registry of somebody's is named.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

/**
 * Programs for other systems than Linux on x86-64 whose checksums the registry that made this file did not have. The list may only
 * become shorter: `npm view <name>@<version> dist.integrity` gives a checksum where they are known.
 */
const unknown = new Map([
  ['@biomejs/cli-', '2.6.8'],
  ['@swc/core-', '1.16.22'],
  ['@turbo/', '2.11.11'],
  ['@unrs/resolver-binding-', '1.13.0'],
]);
const mostUnknown = 37;

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => ({ name: path.replace(/.*node_modules\//, ''), ...entry }));

const isKnownGap = ({ name, version, optional, os }) =>
  optional && os && [...unknown].some(([start, only]) => name.startsWith(start) && version === only);

const isStrong = ({ integrity }) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '');
const gaps = installed.filter((entry) => !isStrong(entry));

const problems = [
  ...gaps
    .filter((gap) => !isKnownGap(gap))
    .map(({ name, version }) => `${name}@${version} has no sha512 checksum`),
  ...(gaps.length > mostUnknown
    ? [`${gaps.length} packages have no checksum, ${mostUnknown} had none before`]
    : []),
  ...(gaps.length < mostUnknown
    ? [`Only ${gaps.length} packages have no checksum now: say so in scripts/lock-file.mjs`]
    : []),
  ...installed.filter(({ resolved }) => resolved).map(({ name }) => `${name} names the place it came from`),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
