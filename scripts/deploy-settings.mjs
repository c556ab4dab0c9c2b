// Rules for what processes are told: variables that exist, secrets by reference, commands that exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { find, nameOf, ofKind, podOf, workloadsOf } from './deploy-objects.mjs';
import { root } from './processes.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');

export const isSecret = (name) => /SECRET|PASSWORD|TOKEN/.test(name);

/** Every variable that a process reads; whatever else is set would have no effect. */
const known = new Set(
  read('packages/runtime/src/variables.ts')
    .match(/^ {2}[A-Z][A-Z_]+(?=:)/gm)
    .map((name) => name.trim()),
);

export const unknownIn = (names) =>
  names.filter((name) => !known.has(name)).map((name) => `${name} is no variable of ours`);

const isOurs = ({ image }) => /(^|\/)roster[:@]/.test(image);

const processesOf = (objects) =>
  workloadsOf(objects).flatMap((workload) =>
    podOf(workload)
      .containers.filter(isOurs)
      .map((container) => ({ workload, container })),
  );

const judgeEnv = ({ workload, container: { env = [] } }) => {
  const values = env.filter(({ value }) => value !== undefined);
  return [
    ...unknownIn(env.map(({ name }) => name)),
    ...values.map(({ name }) => `${name} must be a reference, not a value`),
  ].map((sentence) => `${nameOf(workload)}: ${sentence}`);
};

/** Names of the config maps of a process. The secrets are made by hand. */
const mapsOf = ({ envFrom = [], env = [] }) => [
  ...envFrom.flatMap(({ configMapRef }) => (configMapRef ? [configMapRef.name] : [])),
  ...env.flatMap(({ valueFrom }) => (valueFrom?.configMapKeyRef ? [valueFrom.configMapKeyRef.name] : [])),
];

const judgeMaps = (objects, { workload, container }) =>
  mapsOf(container)
    .filter((name) => !find(objects, 'ConfigMap', name, workload.metadata.namespace))
    .map((name) => `${nameOf(workload)}: there is no ConfigMap ${name}`);

const judgeMap = (map) => {
  const names = Object.keys(map.data);
  return [
    ...unknownIn(names),
    ...names.filter(isSecret).map((name) => `${name} does not belong into a ConfigMap`),
  ].map((sentence) => `${nameOf(map)}: ${sentence}`);
};

const commands = readdirSync(join(root, 'packages/cli/src/commands'))
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => read(`packages/cli/src/commands/${name}`));

/** What the command line of a job says must be a command with these options. */
const isCommand = ([node, script, name, ...options]) =>
  node === 'node' &&
  script === 'bundle/roster.js' &&
  commands.some(
    (text) =>
      text.includes(`.command('${name}')`) && options.every((option) => text.includes(`.option('${option}'`)),
  );

const judgeCommand = ({ workload, container: { args } }) =>
  workload.kind !== 'Job' || isCommand(args)
    ? []
    : [`${nameOf(workload)}: roster has no command "${args.slice(2).join(' ')}"`];

/** The one overlay that everybody may know. */
const secretOfLaptops = 'known-to-everybody-for-laptops-only';

const judgeSecret = (secret) =>
  Buffer.from(secret.data.ROSTER_SECRET ?? '', 'base64').toString() === secretOfLaptops
    ? []
    : [`${nameOf(secret)}: secrets do not belong into the repository`];

export const judgeSettings = (objects) => [
  ...processesOf(objects).flatMap(judgeEnv),
  ...processesOf(objects).flatMap((process) => judgeMaps(objects, process)),
  ...processesOf(objects).flatMap(judgeCommand),
  ...ofKind(objects, 'ConfigMap')
    .filter(({ metadata }) => metadata.namespace === 'roster')
    .flatMap(judgeMap),
  ...ofKind(objects, 'Secret').flatMap(judgeSecret),
];
