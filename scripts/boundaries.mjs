// Who may import whom (ARCHITECTURE.md). Read from every source file; tests may use a little more.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, normalize } from 'node:path';
import { root } from './processes.mjs';
import { rootPackage, workspaces } from './workspaces.mjs';

/** Packages each may import; `types:` before a name: its types only. Those that are not named: what they declare. */
const table = {
  'packages/profile': [],
  'packages/contract': ['@sinclair/typebox', 'ajv', 'libphonenumber-js', 'node:'],
  'packages/store': ['@roster/profile', 'mongoose', 'node:'],
  'packages/queue': ['types:@roster/contract', 'bullmq', 'ioredis', 'node:'],
  'packages/runtime': ['pino', 'prom-client', '@sinclair/typebox', 'node:'],
  'packages/access': ['@sinclair/typebox', 'ioredis', 'node:'],
  'packages/local-stack': ['mongodb-memory-server-core', 'node:'],
};

const mayUseExpress = ['services/ingress', 'services/monitor', 'bench'];
const mayUseServices = ['bench', 'e2e', 'faults'];

const statement = /^[ \t]*(?:import|export)\s+(?<what>[\w\s{},*$]*?)\s*\bfrom\s*['"](?<name>[^'"]+)['"]/gm;
const bare = /^[ \t]*import\s*['"](?<name>[^'"]+)['"]/gm;
const call = /\b(?:import|require)\(\s*['"](?<name>[^'"]+)['"]/g;

/** `import type { a }` and `import { type a, type b }`. */
const isTypeOnly = (what) => {
  const names = /\{([^}]*)\}/
    .exec(what)?.[1]
    .split(',')
    .filter((name) => name.trim());
  return /^\s*type\s/.test(what) || (names?.length > 0 && names.every((name) => /^\s*type\s/.test(name)));
};

const importsOf = (text) => [
  ...[...text.matchAll(statement)].map(({ groups: { name, what } }) => ({
    name,
    typeOnly: isTypeOnly(what),
  })),
  ...[bare, call].flatMap((form) =>
    [...text.matchAll(form)].map(({ groups: { name } }) => ({ name, typeOnly: false })),
  ),
];

const packageOf = (name) => {
  if (isBuiltin(name)) return 'node:';
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
};

const isAllowed = ({ pack, typeOnly }, allowed) =>
  allowed.includes(pack) || (typeOnly && allowed.includes(`types:${pack}`));

const forTests = ['@roster/testkit', 'node:', ...Object.keys(rootPackage.devDependencies)];

const packageProblem = ({ folder, json, isTest }, { name, typeOnly }) => {
  const pack = packageOf(name);
  const declared = ['node:', ...Object.keys(json.dependencies ?? {})];
  if (isTest && forTests.includes(pack)) return undefined;
  if (pack === '@roster/testkit' && folder !== 'packages/testkit') return 'only tests may import testkit';
  if (pack.endsWith('-service') && !mayUseServices.includes(folder))
    return `nobody may import a service: ${pack}`;
  if (pack === 'express' && !mayUseExpress.includes(folder))
    return 'only ingress and monitor may import express';
  if (!declared.includes(pack)) return `${pack} is not declared in its package.json`;
  const allowed = table[folder];
  if (allowed && !isTest && !isAllowed({ pack, typeOnly }, allowed)) return `may not import ${pack}`;
  return undefined;
};

const relativeProblem = ({ folder, file }, { name }) => {
  const target = normalize(join(file, '..', name));
  if (!target.startsWith(join(folder, 'src/'))) return `${name} leaves the package`;
  return undefined;
};

const problemsIn = (source) =>
  importsOf(source.text).flatMap((found) => {
    const problem = found.name.startsWith('.')
      ? relativeProblem(source, found)
      : packageProblem(source, found);
    return problem ? [`${source.file}: ${problem}`] : [];
  });

const sourcesOf = ({ folder, json }) =>
  readdirSync(join(root, folder, 'src'), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const file = join(folder, 'src', name);
      return {
        folder,
        json,
        file,
        isTest: folder === 'e2e' || name.endsWith('.test.ts'),
        text: readFileSync(join(root, file), 'utf8'),
      };
    });

/** What is declared and imported by nothing only makes installations slower and the picture wrong. */
const unusedIn = ({ folder, json }, sources) => {
  const used = new Set(sources.flatMap(({ text }) => importsOf(text)).map(({ name }) => packageOf(name)));
  const spawned = sources.map(({ text }) => text).join('\n');
  return Object.keys(json.dependencies ?? {})
    .filter((name) => !used.has(name) && !spawned.includes(name))
    .map((name) => `${folder}/package.json: nothing imports ${name}`);
};

const problems = workspaces.flatMap((workspace) => {
  const sources = sourcesOf(workspace);
  return [...sources.flatMap(problemsIn), ...unusedIn(workspace, sources)];
});
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
