// Rules for one workload: what its pods may do, and what they must say.
import { nameOf, podOf } from './deploy-objects.mjs';

export const isPinned = (image) => /:[\w.-]*\d[\w.-]*$|@sha256:/.test(image ?? '');

/** A stop takes up to 25 s (packages/runtime/src/run.ts), and begins after the pause before it. */
const stopSeconds = 25;

const containerRules = [
  [({ image }) => isPinned(image), 'its image is not pinned'],
  [({ securityContext: own }) => own?.allowPrivilegeEscalation === false, 'privileges may be escalated'],
  [({ securityContext: own }) => own?.readOnlyRootFilesystem === true, 'the root file system can be written'],
  [({ securityContext: own }) => own?.capabilities?.drop?.includes('ALL'), 'capabilities are not dropped'],
  [
    ({ resources: own }) => own?.limits?.memory && own.limits.memory === own.requests?.memory,
    'memory: limit and request differ',
  ],
  [({ resources: own }) => !own?.limits?.cpu, 'a CPU limit makes workers lose their locks'],
];

const podRules = [
  [(pod) => pod.securityContext?.runAsNonRoot === true, 'it may run as root'],
  [(pod) => pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'there is no seccomp profile'],
  [(pod) => pod.automountServiceAccountToken === false, 'a service account token is mounted'],
];

const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'];

const asksAdmin = (container) =>
  probes
    .filter((probe) => container[probe]?.httpGet?.port !== 'admin')
    .map((probe) => `${probe} does not ask the admin port`);

const hasProbes = (container) => probes.filter((probe) => !container[probe]).map((probe) => `no ${probe}`);

const stopsInTime = (pod) => {
  const [{ lifecycle }] = pod.containers;
  const pause = lifecycle?.preStop?.sleep?.seconds ?? 0;
  return pod.terminationGracePeriodSeconds >= stopSeconds + pause + 5
    ? []
    : ['the grace period is too short'];
};

const byKind = {
  Deployment: (pod) => [...pod.containers.flatMap(asksAdmin), ...stopsInTime(pod)],
  StatefulSet: (pod) => pod.containers.flatMap(hasProbes),
  Job: (pod, { spec }) => [
    ...(spec.activeDeadlineSeconds > 0 ? [] : ['it may run for ever']),
    ...(/^(Never|OnFailure)$/.test(pod.restartPolicy) ? [] : ['a job cannot restart always']),
  ],
};

const broken = (rules, subject) => rules.filter(([holds]) => !holds(subject)).map(([, sentence]) => sentence);

export const judgeWorkload = (workload) => {
  const pod = podOf(workload);
  const sentences = [
    ...broken(podRules, pod),
    ...pod.containers.flatMap((container) => broken(containerRules, container)),
    ...byKind[workload.kind](pod, workload),
  ];
  return sentences.map((sentence) => `${nameOf(workload)}: ${sentence}`);
};
