// Questions about rendered objects that several rules ask.

/** Short and unambiguous, for messages. */
export const nameOf = ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

export const ofKind = (objects, ...kinds) => objects.filter(({ kind }) => kinds.includes(kind));

const workloads = ['Deployment', 'StatefulSet', 'Job'];

export const workloadsOf = (objects) => ofKind(objects, ...workloads);

export const podOf = ({ spec }) => spec.template.spec;

const labelsOf = ({ spec }) => spec.template.metadata.labels ?? {};

const holds = (labels, { key, operator, values }) =>
  operator === 'NotIn' ? !values.includes(labels[key]) : operator === 'In' && values.includes(labels[key]);

const fits = (labels, { matchLabels = {}, matchExpressions = [] }) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every((expression) => holds(labels, expression));

/** The workloads in the same namespace whose pods a selector means. */
export const selectedBy = (objects, { metadata }, selector) =>
  workloadsOf(objects).filter(
    (workload) => workload.metadata.namespace === metadata.namespace && fits(labelsOf(workload), selector),
  );

export const find = (objects, kind, name, namespace) =>
  objects.find(
    ({ kind: ownKind, metadata }) =>
      ownKind === kind && metadata.name === name && metadata.namespace === namespace,
  );
