// What we ask of our own objects, beyond what a cluster takes: a few rules that reviews forget.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isPinned, isSecret, processesOf, read, variables } from '../deployed.mjs';
import { root } from '../processes.mjs';

const knows = (name) => (variables.has(name) ? [] : [`${name} is no variable of ours`]);
const unless = (holds, sentence) => (holds ? [] : [sentence]);

const aboutContainer = ({ image, securityContext = {}, resources = {}, env = [] }, isTrial) => [
  ...unless(isPinned(image), `${image} is not pinned`),
  ...unless(securityContext.readOnlyRootFilesystem === true, 'the root file system can be written'),
  ...unless(
    resources.limits?.memory && (isTrial || resources.limits.memory === resources.requests?.memory),
    'memory: limit and request differ',
  ),
  ...unless(!resources.limits?.cpu, 'a CPU limit makes workers lose their locks'),
  ...env.flatMap(({ name }) => knows(name)),
  ...env.flatMap(({ name, value }) =>
    unless(value === undefined, `${name} must be a reference, not a value`),
  ),
];

const aboutDeployment = ({ spec: { template } }) => [
  // A stop takes up to 25 s (packages/runtime/src/run.ts).
  ...unless(template.spec.terminationGracePeriodSeconds >= 30, 'the grace period is too short'),
  ...template.spec.containers.flatMap((container) =>
    ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((probe) =>
      unless(container[probe]?.httpGet?.port === 'admin', `${probe} does not ask the admin port`),
    ),
  ),
];

const aboutConfig = ({ data }) =>
  Object.keys(data).flatMap((name) => [
    ...knows(name),
    ...unless(!isSecret(name), `${name} does not belong into a ConfigMap`),
  ]);

/** What senders refuse to ask; `2000::/3` is what they ask at all of IPv6. */
const refusedBlocks = () =>
  [...read('packages/channels/src/http/private-ips.ts').matchAll(/\['([\da-f.:]+)', (\d+)\]/g)]
    .map(([, ip, bits]) => `${ip}/${bits}`)
    .sort();

const aboutPolicy = ({ metadata, spec }) => {
  if (!metadata.name.endsWith('-to-providers')) return [];
  const blocks = spec.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock.except));
  return unless(`${blocks.sort()}` === `${refusedBlocks()}`, 'it lets out what the process refuses, or less');
};

const about = { Deployment: aboutDeployment, ConfigMap: aboutConfig, NetworkPolicy: aboutPolicy };

const aboutPod = ({ metadata: { labels }, spec }, isTrial) => [
  ...unless(spec.automountServiceAccountToken === false, 'a service account token is mounted'),
  ...spec.containers.flatMap((container) =>
    labels['app.kubernetes.io/name'] === 'roster'
      ? aboutContainer(container, isTrial)
      : unless(isPinned(container.image), `${container.image} is not pinned`),
  ),
];

/** Sentences about one object. `isTrial`: it may get less memory than its limit. */
export const faultsOf = (object, isTrial = false) => [
  ...(object.spec?.template ? aboutPod(object.spec.template, isTrial) : []),
  ...(about[object.kind]?.(object) ?? []),
];

/** A fault of each kind, for a Deployment: each has to be found. */
const spoils = [
  (_, container) => (container.image = 'roster:latest'),
  (_, container) => (container.securityContext.readOnlyRootFilesystem = false),
  (_, container) => (container.resources.requests.memory = '1Mi'),
  (_, container) => (container.resources.limits.cpu = '1'),
  (_, container) => container.env.push({ name: 'REDIS_ULR', valueFrom: {} }),
  (_, container) => container.env.push({ name: 'ROSTER_SECRET', value: 'a secret' }),
  (_, container) => (container.livenessProbe.httpGet.port = 'http'),
  (pod) => (pod.terminationGracePeriodSeconds = 10),
  (pod) => delete pod.automountServiceAccountToken,
];

export const missedFaults = (deployment) =>
  spoils.filter((spoil) => {
    const spoilt = structuredClone(deployment);
    const pod = spoilt.spec.template.spec;
    spoil(pod, pod.containers[0]);
    return faultsOf(spoilt).length === 0;
  });

/** A process that somebody adds must not be forgotten; the names and references of each other must fit. */
export const faultsOfAll = (objects) => {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const deployed = new Map(deployments.map(({ metadata, spec }) => [metadata.name, spec.template.spec]));
  const processes = readdirSync(join(root, 'services')).flatMap(processesOf);
  const has = (kind, name, namespace) =>
    objects.some(
      (one) => one.kind === kind && one.metadata.name === name && one.metadata.namespace === namespace,
    );
  const references = objects.flatMap(({ kind, metadata: { name, namespace }, spec }) =>
    (spec?.template?.spec.containers ?? [])
      .flatMap(({ envFrom = [], env = [] }) => [...envFrom, ...env.map(({ valueFrom }) => valueFrom ?? {})])
      .map((one) => (one.configMapRef ?? one.configMapKeyRef)?.name)
      .filter((config) => config && !has('ConfigMap', config, namespace))
      .map((config) => `${kind} ${name}: there is no ConfigMap ${config}`),
  );
  const scaled = objects
    .map(({ spec }) => spec?.scaleTargetRef?.name)
    .filter(
      (name) =>
        name &&
        deployed.get(name) &&
        deployments.find(({ metadata }) => metadata.name === name).spec.replicas !== undefined,
    )
    .map((name) => `Deployment ${name}: a fixed number undoes what its autoscaler decided`);
  return [
    ...references,
    ...scaled,
    ...processes.flatMap((name) =>
      unless(
        deployed.get(name)?.containers[0].args.includes(`bundle/${name}.js`),
        `no Deployment ${name} runs bundle/${name}.js`,
      ),
    ),
  ];
};
