// Who may reach whom by the network policies, and whether it is what the processes need: no less, and nothing else.
import { BlockList } from 'node:net';

const mailPorts = [465, 587, 2525];

/** Peers that are not in the manifests: pods of other namespaces, with the port on which a server listens, and addresses. */
const outside = {
  dns: { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
  redis: { namespace: 'data', listens: 6379 },
  sentinels: { namespace: 'data', listens: 26379 },
  mongo: { namespace: 'data', listens: 27017 },
  gateway: { namespace: 'gateway' },
  prometheus: { namespace: 'monitoring' },
  mail: { namespace: 'mail' },
  database: { namespace: 'shop', namespaceLabels: { 'roster-source': 'true' } },
  stranger: { namespace: 'other' },
  internet: { ip: '93.184.215.14' },
  'internet by IPv6': { ip: '2606:2800:21f::1' },
  intranet: { ip: '10.200.0.7' },
  'link-local': { ip: '169.254.169.254' },
};

const named =
  (...names) =>
  ({ name }) =>
    names.includes(name);
const ours = ({ namespace }) => namespace === 'roster';
const butFor = (left) => (pod) => ours(pod) && pod.name !== left;
const internet = ['internet', 'internet by IPv6'];

/** [who, whom, ports], for the base and for each component. */
const needs = {
  base: [
    [ours, named('dns'), [53]],
    [butFor('migrate'), named('redis'), [6379]],
    [butFor('migrate'), named('sentinels'), [26379]],
    [butFor('ingress'), named('mongo'), [27017]],
    [named('sender'), named(...internet), [80, 443, ...mailPorts]],
    [named('pages'), named(...internet), [443]],
    [named('integrations'), named(...internet, 'intranet', 'link-local'), [443, 3306, 5432, 5439, 27017]],
  ],
  gateway: [
    [named('gateway'), named('ingress'), [8080]],
    [named('gateway'), named('pages'), [8090]],
  ],
  metrics: [[named('prometheus'), ours, [9090]]],
  'mail-in-cluster': [[named('sender'), named('mail'), [25, ...mailPorts]]],
  'databases-in-cluster': [[named('integrations'), named('database'), [3306, 5432, 27017]]],
};

const ports = [
  22, 25, 53, 80, 443, 465, 587, 2525, 3000, 3306, 5432, 5439, 6379, 8080, 8090, 9090, 26379, 27017,
];

const matches = ({ matchLabels = {}, matchExpressions = [] }, labels) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values = [] }) => {
    if (operator === 'In') return values.includes(labels[key]);
    if (operator === 'NotIn') return !values.includes(labels[key]);
    return (operator === 'Exists') === key in labels;
  });

const isWithin = (ip, cidr) => {
  const [address, bits] = cidr.split('/');
  const family = (one) => (one.includes(':') ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family(address));
  return family(ip) === family(address) && list.check(ip, family(ip));
};

/** An address range lets into pods with some network plugins only, so here it doesn't. */
const isPeer = (namespace, { namespaceSelector, podSelector, ipBlock }, peer) => {
  if (ipBlock)
    return peer.ip
      ? isWithin(peer.ip, ipBlock.cidr) && !(ipBlock.except ?? []).some((cidr) => isWithin(peer.ip, cidr))
      : false;
  if (peer.ip) return false;
  const ofNamespace = { 'kubernetes.io/metadata.name': peer.namespace, ...peer.namespaceLabels };
  const isThere = namespaceSelector ? matches(namespaceSelector, ofNamespace) : peer.namespace === namespace;
  return isThere && (!podSelector || matches(podSelector, peer.labels ?? {}));
};

const lets = (policy, direction, peer, port) => {
  const side = direction === 'Egress' ? 'to' : 'from';
  return (policy.spec[direction.toLowerCase()] ?? []).some(
    (rule) =>
      (!rule.ports || rule.ports.some((one) => one.port === port)) &&
      (!rule[side] || rule[side].some((one) => isPeer(policy.metadata.namespace, one, peer))),
  );
};

/** One half of a way: a pod that no policy is about is open. */
const isOpenAt = (policies, direction, pod, peer, port) => {
  const about = policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.namespace &&
      spec.policyTypes.includes(direction) &&
      matches(spec.podSelector, pod.labels ?? {}),
  );
  return about.length === 0 || about.some((policy) => lets(policy, direction, peer, port));
};

const podsIn = (objects) =>
  objects
    .filter(({ spec }) => spec?.template?.spec)
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      namespace: metadata.namespace,
      labels: spec.template.metadata.labels,
    }));

/** Ways that should be open and are not, and the other way round, of everything to and from a pod of the manifests. */
export const wrongWays = (objects, components) => {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const pods = podsIn(objects);
  const others = Object.entries(outside).flatMap(([name, peer]) =>
    pods.some((pod) => pod.name === name) ? [] : { name, ...peer },
  );
  const list = ['base', ...components].flatMap((name) => needs[name] ?? []);
  const isNeeded = (from, to, port) =>
    list.some(([who, whom, at]) => who(from) && whom(to) && at.includes(port));
  const isOpen = (from, to, port) =>
    (!pods.includes(from) || isOpenAt(policies, 'Egress', from, to, port)) &&
    (!pods.includes(to) || isOpenAt(policies, 'Ingress', to, from, port));
  const told = (from, to, port) => {
    const open = isOpen(from, to, port);
    if (open === isNeeded(from, to, port)) return [];
    return [`${from.name} ${open ? 'reaches' : 'does not reach'} ${to.name} on port ${port}`];
  };
  const all = [...pods, ...others];
  return all.flatMap((from) =>
    all
      .filter((to) => from !== to && (pods.includes(from) || pods.includes(to)))
      .flatMap((to) => (to.listens ? [to.listens] : ports).flatMap((port) => told(from, to, port))),
  );
};

/** Whether something would be noticed without this policy. */
export const isMissed = (policy, objects, components) =>
  wrongWays(
    objects.filter((one) => one !== policy),
    components,
  ).length > 0;
