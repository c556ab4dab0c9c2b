// One version of each dependency in the whole repository, and an exact one.
import { rootPackage, workspaces } from './workspaces.mjs';

const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
const all = [{ folder: '.', json: rootPackage }, ...workspaces];

const wanted = all.flatMap(({ folder, json }) =>
  kinds.flatMap((kind) =>
    Object.entries(json[kind] ?? {}).map(([name, version]) => ({ folder, name, version })),
  ),
);

const isOurs = (name) => name.startsWith('@roster/');
const isExact = (version) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);

const inexact = wanted
  .filter(({ name, version }) => (isOurs(name) ? version !== '*' : !isExact(version)))
  .map(({ folder, name, version }) => `${folder}: ${name} is "${version}", not one exact version`);

const byName = new Map();
for (const use of wanted) byName.set(use.name, [...(byName.get(use.name) ?? []), use]);

const several = [...byName]
  .filter(([, uses]) => new Set(uses.map(({ version }) => version)).size > 1)
  .map(
    ([name, uses]) => `${name}: ${uses.map(({ folder, version }) => `${version} in ${folder}`).join(', ')}`,
  );

const problems = [...inexact, ...several];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
