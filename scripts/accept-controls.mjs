// Negative controls: an object of each kind with a field that is misspelled, and workloads whose pods the namespace would not admit.
import { dryRun, typeOf } from './accept-objects.mjs';
import { podOf, workloadsOf } from './deploy-objects.mjs';

const oneOfEachType = (objects) => [...new Map(objects.map((object) => [typeOf(object), object])).values()];

const misspelled = (object) => {
  const damaged = structuredClone(object);
  (damaged.spec ?? damaged).mispelled = 'x';
  return [damaged, /mispelled/];
};

const asRoot = (object) => {
  const damaged = structuredClone(object);
  podOf(damaged).securityContext.runAsNonRoot = false;
  return [damaged, /would violate PodSecurity/];
};

/** How many broken objects were refused, one or two of each type; that one is accepted is an error. */
export const refuseBroken = async (commands, objects) => {
  const examples = oneOfEachType(objects);
  const controls = [...examples.map(misspelled), ...workloadsOf(examples).map(asRoot)];
  for (const [object, reason] of controls) {
    const { code, output } = await dryRun(commands, [object]);
    if (code === 0 || !reason.test(output))
      throw new Error(`a broken ${typeOf(object)} is not refused for ${reason}:\n${output.trim()}`);
  }
  return controls.length;
};
