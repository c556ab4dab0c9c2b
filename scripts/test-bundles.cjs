// What a test loads and does not test comes as one file for each package: a test file loads in two fifths of the CPU (2.4 s with 1,960 modules).
// Only the package whose test it is comes from its sources, so what a test sees and exchanges inside of it is the code as it is written.
const { join } = require('node:path');

const root = join(__dirname, '..');

/** Those with the most modules. What knows each other's objects stands in one group. */
const libraries = [
  ['mongoose', 'mongodb'],
  ['bullmq', 'ioredis', 'ioredis/built/connectors/index.js'],
  ['@sinclair/typebox', '@sinclair/typebox/value'],
  ['ajv/dist/2020.js'],
  ['express'],
  ['prom-client'],
  ['libphonenumber-js/min'],
  // As tests are CommonJS, and it is not.
  ['hyparquet'],
  ['hyparquet-writer'],
];

/** Evaluated once for all files of a worker; prom-client keeps what one file counts. */
const shared = new Set(libraries.flat().filter((name) => name !== 'prom-client'));

const packages = [
  'access',
  'audience',
  'batch',
  'channels',
  'contract',
  'integrations',
  'judge',
  'liquid',
  'names',
  'openapi',
  'profile',
  'queue',
  'records',
  'runtime',
  'store',
  'threads',
];

const libraryFolder = join(root, 'node_modules/.cache/test-bundles');

/** Each library by itself, so that no test loads more than it needs. */
const libraryFile = (name) => join(libraryFolder, `${name.replace(/[^a-z0-9]+/g, '-')}.cjs`);

const groupFile = ([name]) => join(libraryFolder, 'groups', `${name.replace(/[^a-z0-9]+/g, '-')}.cjs`);

/** The file of a library that is kept; `undefined` for any other name. A first text of fast-check costs half a second, once here. */
const keptFile = (name) => {
  if (name === 'fast-check') return require.resolve('./jest-fast-check.cjs');
  return shared.has(name) ? libraryFile(name) : undefined;
};

/** Where its own dependencies are found. */
const packageFile = (name) => join(root, 'packages', name, 'node_modules/.cache/test-bundle.cjs');

const ours = /^@roster\/(.+?)(-service)?$/;

/** The file that a test of the package in `folder` loads for a name; `undefined`: the usual one. */
const fileFor = (name, folder) => {
  if (libraries.some((group) => group.includes(name))) return libraryFile(name);
  const [, short, isService] = ours.exec(name) ?? [];
  if (short === undefined) return undefined;
  if (isService) return join(root, 'services', short, 'src/index.ts');
  const own = join(root, 'packages', short);
  return packages.includes(short) && folder !== own ? packageFile(short) : join(own, 'src/index.ts');
};

module.exports = {
  root,
  keptFile,
  libraries,
  libraryFile,
  groupFile,
  packages,
  packageFile,
  fileFor,
};
