// Rules for all objects of one rendering: what names another object finds it, and nothing is there twice.
import { find, nameOf, ofKind, podOf, selectedBy, workloadsOf } from './deploy-objects.mjs';
import { judgeWorkload } from './deploy-pods.mjs';
import { judgeSettings } from './deploy-settings.mjs';

const isEverywhere = ({ kind }) => kind === 'Namespace';

const onlyOnce = (objects) => {
  const names = objects.map(nameOf);
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} is there twice`);
};

/** Applied in this order: an object whose namespace comes later is refused. */
const inNamespaces = (objects) => {
  const last = objects.findLastIndex(isEverywhere);
  return objects.flatMap((object, at) => {
    if (isEverywhere(object)) return [];
    if (!object.metadata.namespace) return [`${nameOf(object)} names no namespace`];
    return at < last ? [`${nameOf(object)} comes before a namespace`] : [];
  });
};

/** One pod alone may be evicted; of several, not all at once. */
const survivesEvictions = (objects) => {
  const budgets = ofKind(objects, 'PodDisruptionBudget');
  const isKept = (workload) =>
    budgets.some((budget) => selectedBy(objects, budget, budget.spec.selector).includes(workload));
  return ofKind(objects, 'Deployment')
    .filter((workload) => (workload.spec.replicas ?? 2) > 1 && !isKept(workload))
    .map((workload) => `${nameOf(workload)}: no disruption budget`);
};

const scalers = ['HorizontalPodAutoscaler', 'ScaledObject'];

const scaledOnce = (objects) => {
  const targets = ofKind(objects, ...scalers).map((scaler) => ({
    scaler,
    target: find(objects, 'Deployment', scaler.spec.scaleTargetRef.name, scaler.metadata.namespace),
  }));
  return targets.flatMap(({ scaler, target }, at) => {
    if (!target) return [`${nameOf(scaler)} scales nothing`];
    if (target.spec.replicas !== undefined)
      return [`${nameOf(target)}: its replicas and ${nameOf(scaler)} disagree`];
    const isFirst = targets.findIndex((other) => other.target === target) === at;
    return isFirst ? [] : [`${nameOf(target)} is scaled twice`];
  });
};

const portsOf = (workload) => podOf(workload).containers.flatMap(({ ports = [] }) => ports);

const serves = (objects) =>
  ofKind(objects, 'Service').flatMap((service) => {
    const behind = selectedBy(objects, service, { matchLabels: service.spec.selector });
    const names = behind.flatMap(portsOf).map(({ name }) => name);
    return service.spec.ports
      .filter(({ targetPort }) => !names.includes(targetPort))
      .map(({ name }) => `${nameOf(service)}: no pod has its port ${name}`);
  });

const selectsPods = (objects) =>
  ofKind(objects, 'NetworkPolicy', 'PodDisruptionBudget')
    .map((object) => [object, object.spec.podSelector ?? object.spec.selector])
    .filter(([, selector]) => Object.keys(selector).length > 0)
    .filter(([object, selector]) => selectedBy(objects, object, selector).length === 0)
    .map(([object]) => `${nameOf(object)} selects no pod`);

const backendsOf = ({ spec }) => spec.rules.flatMap(({ backendRefs = [] }) => backendRefs);

const reachesBackends = (objects) =>
  ofKind(objects, 'HTTPRoute').flatMap((route) =>
    backendsOf(route)
      .filter(({ name, port }) => {
        const service = find(objects, 'Service', name, route.metadata.namespace);
        return !service?.spec.ports.some((own) => own.port === port);
      })
      .map(({ name, port }) => `${nameOf(route)}: there is no service ${name} with port ${port}`),
  );

/** A route whose host name is not that of its listener gets no request. */
const isHeard = ({ spec }, listener) =>
  listener !== undefined && (!listener.hostname || spec.hostnames?.includes(listener.hostname));

const hasListeners = (objects) =>
  ofKind(objects, 'HTTPRoute').flatMap((route) =>
    route.spec.parentRefs
      .filter(({ name, namespace, sectionName }) => {
        const { spec } = find(objects, 'Gateway', name, namespace) ?? { spec: { listeners: [] } };
        return !isHeard(
          route,
          spec.listeners.find((listener) => listener.name === sectionName),
        );
      })
      .map(
        ({ name, sectionName }) =>
          `${nameOf(route)}: no listener ${sectionName} of ${name} has its host name`,
      ),
  );

const rules = [
  onlyOnce,
  inNamespaces,
  (objects) => workloadsOf(objects).flatMap(judgeWorkload),
  survivesEvictions,
  scaledOnce,
  serves,
  selectsPods,
  reachesBackends,
  hasListeners,
  judgeSettings,
];

/** Sentences about what is wrong. */
export const judgeObjects = (objects) => rules.flatMap((rule) => rule(objects));
