// Which package may import which (ARCHITECTURE.md); `npm run check` holds every import to it, those of types alone as well.

const { readdirSync, readFileSync } = require('node:fs');

const tests = '(^e2e/|\\.test\\.ts$|/testbed\\.ts$|\\.fixture\\.cjs$)';
const services = '^services/';
const library = (...names) => `^(node_modules/)(${names.join('|')})(/|$)`;

/** A package may import its own files, and what `path` names. Its tests may import more. */
const only = (name, path, more = {}) => ({
  name: `layers-${name}`,
  comment: `packages/${name} may import only what ARCHITECTURE.md lists`,
  severity: 'error',
  from: { path: `^packages/${name}/src/`, pathNot: tests },
  to: { pathNot: [`^packages/${name}/src/`, ...path], ...more },
});

const folders = [
  ...['packages', 'services'].flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`)),
  ...['bench', 'e2e', 'faults'],
];
const manifest = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
const folderOf = new Map(folders.map((folder) => [manifest(folder).name, folder]));

/** Packages of this repository are declared like those of others. */
const declaredByOurs = folders.map((folder) => {
  const { dependencies, devDependencies } = manifest(folder);
  // The build of the client leaves nothing of the contract to install.
  const needed = { ...dependencies, ...(folder === 'packages/client' && devDependencies) };
  const declared = Object.keys(needed).flatMap((name) => folderOf.get(name) ?? []);
  return {
    name: `declared-in-${folder.replace('/', '-')}`,
    comment: `${folder}/package.json declares what its files import`,
    severity: 'error',
    from: { path: `^${folder}/src/` },
    to: {
      path: '^(packages|services)/',
      pathNot: [folder, 'packages/testkit', ...declared].map((one) => `^${one}/`),
    },
  };
});

const withoutCore = { dependencyTypesNot: ['core'] };

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-missing-file', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('profile', []),
    only('contract', [library('@sinclair/typebox', 'libphonenumber-js')], withoutCore),
    only('judge', ['^packages/contract/src/', library('@sinclair/typebox', 'ajv')], withoutCore),
    only('openapi', ['^packages/(contract|judge)/src/', library('@sinclair/typebox')], withoutCore),
    {
      name: 'judged-at-the-edge',
      comment:
        'a request is judged before it is accepted: the workers load neither the judge nor the document',
      severity: 'error',
      from: { path: '^services/(?!(ingress|integrations)/)', pathNot: tests },
      to: { path: '^packages/(judge|openapi)/', reachable: true },
    },
    {
      name: 'published-at-the-edge',
      comment: 'only the ingress publishes the document of the interface',
      severity: 'error',
      from: { pathNot: [tests, '^(packages/openapi|services/ingress)/'] },
      to: { path: '^packages/openapi/' },
    },
    only('audience', ['^packages/threads/src/', library('re2js')], withoutCore),
    only(
      'channels',
      [
        '^packages/(contract|names|secrets|threads)/src/',
        library(
          ...['css-select', 'css-what', 'html-to-text', 'htmlparser2', 'nodemailer', '@sinclair/typebox'],
          ...['undici', 'web-push'],
        ),
        // In its own folder: another version is at the top.
        '^packages/channels/node_modules/undici/',
      ],
      withoutCore,
    ),
    only('store', ['^packages/(audience|profile|secrets)/src/', library('mongoose')], withoutCore),
    only('queue', ['^packages/(contract|secrets)/src/', library('bullmq', 'ioredis')], withoutCore),
    // Of the contract its types alone: biome.json says so, as swc does not tell the two apart.
    only(
      'runtime',
      ['^packages/secrets/src/', library('pino', 'prom-client', 'proxy-addr', '@sinclair/typebox')],
      withoutCore,
    ),
    only(
      'access',
      ['^packages/(audience|secrets)/src/', library('@sinclair/typebox', 'ioredis')],
      withoutCore,
    ),
    only('liquid', ['^packages/threads/src/', library('liquidjs')], withoutCore),
    only('threads', [], withoutCore),
    only('secrets', []),
    only('names', ['^packages/contract/src/'], withoutCore),
    only('client', ['^packages/contract/src/']),
    only('batch', ['^packages/(contract|queue|runtime|secrets|store)/src/']),
    only('records', []),
    only(
      'sources',
      [
        '^packages/(contract|names|records)/src/',
        library(
          'aws4fetch',
          'htmlparser2',
          'hyparquet',
          'hyparquet-compressors',
          'mongodb',
          'mysql2',
          'pg',
          'postgres-array',
        ),
      ],
      withoutCore,
    ),
    only('integrations', ['^packages/(access|contract|judge|sources|store)/src/', library('cron-parser')]),
    only('local-stack', [library('mongodb', 'mongodb-memory-server-core')], withoutCore),
    {
      name: 'no-service-imported',
      comment: 'a service is started, never imported',
      severity: 'error',
      from: { pathNot: '^(services/([^/]+)|bench|e2e|faults)/' },
      to: { path: services },
    },
    {
      name: 'no-other-service',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: services, pathNot: '^services/$1/' },
    },
    {
      name: 'express-at-the-edge',
      comment: 'only ingress, monitor and the pages speak HTTP with Express; elsewhere it is a yardstick',
      severity: 'error',
      from: {
        pathNot: [
          '^(services/(ingress|monitor|messaging/src/pages)|bench|faults/src/yardstick)/',
          // Reads a webhook from a request of Express, as users do.
          '^packages/client/src/webhooks\\.test\\.ts$',
        ],
      },
      to: { path: library('express') },
    },
    {
      name: 'testkit-in-tests',
      severity: 'error',
      from: { pathNot: [tests, '^(bench|faults)/', '^packages/testkit/'] },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'through-the-door',
      comment: 'another package is imported by its name',
      severity: 'error',
      from: { path: '^(packages/[^/]+|services/[^/]+|bench|e2e|faults)/src/' },
      to: { pathNot: '^$1/src/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
    },
    ...declaredByOurs,
    {
      name: 'declared',
      comment: "what runs is in the package's own dependencies, never among the tools of the root",
      severity: 'error',
      from: { path: '^(packages|services|bench|faults)/', pathNot: [tests, '^packages/client/build/'] },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        dependencyTypesNot: ['npm'],
      },
    },
  ],
  options: {
    // TypeScript 7 has no interface for programs; swc reads the sources as jest does.
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?!node_modules/).*/(dist|bundle)/' },
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
