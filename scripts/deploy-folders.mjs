// Rules for all renderings, and those that hold for one overlay only.
import { find, nameOf, podOf, workloadsOf } from './deploy-objects.mjs';
import { judgeObjects } from './deploy-rules.mjs';

/** As in docker-compose.yml: a 2xx promises that the request is on disk and stays there. */
const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];

const keepsRequests = (objects) => {
  const redis = find(objects, 'StatefulSet', 'redis', 'data');
  const [{ command }] = podOf(redis).containers;
  const at = command.indexOf(settings[0]);
  return `${command.slice(at, at + settings.length)}` === `${settings}`
    ? []
    : [`${nameOf(redis)}: it needs ${settings.join(' ')}`];
};

/** An image without a registry is the one that was built on the laptop. */
const comesFromRegistry = (objects) =>
  workloadsOf(objects)
    .flatMap((workload) => podOf(workload).containers.map(({ image }) => ({ workload, image })))
    .filter(({ image }) => !image.includes('/'))
    .map(({ workload, image }) => `${nameOf(workload)}: ${image} names no registry`);

const ofFolder = [
  [/^k8s\/overlays\/local$/, keepsRequests],
  [/^k8s\/overlays\/production/, comesFromRegistry],
];

/** Sentences about what is wrong in a rendering. */
export const judgeRendering = ({ folder, objects }) => [
  ...judgeObjects(objects),
  ...ofFolder.filter(([folders]) => folders.test(folder)).flatMap(([, rule]) => rule(objects)),
];
