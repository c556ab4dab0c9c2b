// Negative controls: each breaks one object of a rendering, and a rule must say so.
import { judgeRendering } from './deploy-folders.mjs';
import { find, ofKind, podOf } from './deploy-objects.mjs';

const deployment = (objects, name) => find(objects, 'Deployment', name, 'roster');
const container = (objects, name) => podOf(deployment(objects, name)).containers[0];
const policy = (objects, name) => find(objects, 'NetworkPolicy', name, 'roster');
const change = Object.assign;

const remove = (objects, kind, name) =>
  objects.splice(objects.indexOf(find(objects, kind, name, 'roster')), 1);

/** What is done to the objects, and a part of the sentence that must follow. */
const inProduction = [
  [(all) => all.push(structuredClone(all.at(-1))), 'is there twice'],
  [(all) => all.push(all.shift()), 'comes before a namespace'],
  [(all) => delete all.at(-1).metadata.namespace, 'names no namespace'],
  [(all) => remove(all, 'PodDisruptionBudget', 'identity'), 'no disruption budget'],
  [(all) => remove(all, 'Deployment', 'track'), 'scales nothing'],
  [(all) => change(deployment(all, 'track').spec, { replicas: 2 }), 'disagree'],
  [(all) => change(ofKind(all, 'ScaledObject')[0].spec.scaleTargetRef, { name: 'track' }), 'scaled twice'],
  [(all) => container(all, 'ingress').ports.shift(), 'no pod has its port'],
  [(all) => change(policy(all, 'to-redis').spec.podSelector.matchLabels, { a: 'b' }), 'selects no pod'],
  [(all) => remove(all, 'Service', 'pages'), 'there is no service pages'],
  [(all) => change(ofKind(all, 'Gateway')[0].spec.listeners[1], { hostname: 'x' }), 'has its host name'],
  [(all) => change(container(all, 'track'), { image: 'a/roster:latest' }), 'is not pinned'],
  [(all) => change(container(all, 'track'), { image: 'roster:0.1.0' }), 'names no registry'],
  [(all) => delete container(all, 'track').readinessProbe, 'readinessProbe does not ask'],
  [(all) => change(podOf(deployment(all, 'ingress')), { terminationGracePeriodSeconds: 30 }), 'grace'],
  [(all) => delete podOf(deployment(all, 'scim')).securityContext.runAsNonRoot, 'run as root'],
  [(all) => delete podOf(deployment(all, 'scim')).securityContext.seccompProfile, 'seccomp'],
  [(all) => delete podOf(deployment(all, 'scim')).automountServiceAccountToken, 'token is mounted'],
  [(all) => delete container(all, 'scim').securityContext.allowPrivilegeEscalation, 'escalated'],
  [(all) => delete container(all, 'scim').securityContext.readOnlyRootFilesystem, 'can be written'],
  [(all) => delete container(all, 'scim').securityContext.capabilities, 'not dropped'],
  [(all) => change(container(all, 'track').resources.limits, { memory: '1Gi' }), 'request differ'],
  [(all) => change(container(all, 'track').resources.limits, { cpu: 1 }), 'CPU limit'],
  [(all) => container(all, 'track').env.push({ name: 'LOG_LEVEL', value: 'info' }), 'not a value'],
  [(all) => container(all, 'track').env.push({ name: 'LOG_LEVLE' }), 'LOG_LEVLE is no variable'],
  [(all) => change(container(all, 'track').envFrom[0].configMapRef, { name: 'a' }), 'no ConfigMap a'],
  [(all) => change(ofKind(all, 'ConfigMap')[0].data, { LOG_LEVLE: 'info' }), 'LOG_LEVLE is no variable'],
  [(all) => change(ofKind(all, 'ConfigMap')[0].data, { ROSTER_SECRET: 'x' }), 'into a ConfigMap'],
];

const inJobs = [
  [(all) => podOf(all[0]).containers[0].args.push('--aply'), 'roster has no command'],
  [(all) => delete all[0].spec.activeDeadlineSeconds, 'run for ever'],
  [(all) => delete podOf(all[0]).restartPolicy, 'cannot restart always'],
];

const onLaptops = [
  [(all) => change(ofKind(all, 'Secret')[0].data, { ROSTER_SECRET: 'eA==' }), 'into the repository'],
  [(all) => delete podOf(ofKind(all, 'StatefulSet')[0]).containers[0].livenessProbe, 'no livenessProbe'],
  [(all) => podOf(find(all, 'StatefulSet', 'redis', 'data')).containers[0].command.splice(2, 1), 'it needs'],
];

const controls = [
  ['k8s/overlays/production', inProduction],
  ['k8s/overlays/production/before', inJobs],
  ['k8s/overlays/local', onLaptops],
];

const isNoticed = ({ folder, objects }, damage, part) => {
  const copy = structuredClone(objects);
  damage(copy);
  return judgeRendering({ folder, objects: copy }).some((sentence) => sentence.includes(part));
};

/** Sentences about the controls that no rule noticed. */
export const unnoticed = (rendered) =>
  controls.flatMap(([folder, damages]) => {
    const rendering = rendered.find((each) => each.folder === folder);
    return damages
      .filter(([damage, part]) => !isNoticed(rendering, damage, part))
      .map(([, part]) => `no rule says "${part}" of a broken ${folder}`);
  });
