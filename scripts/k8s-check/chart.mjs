// A Helm chart of the objects that kustomize renders: the same objects, with an expression wherever an installation may want another value.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { components } from './render.mjs';

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const nameOf = ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`;
/** `roster-ingress-bh7k4c9t77` of a generator has the variables `ingress`; `roster-...` has those of every process. */
const configOf = (name) => /^roster(?:-([a-z]+))?-[a-z\d]{10}$/.exec(name)?.[1] ?? 'common';
const plainName = (name) => name.replace(/^(roster(?:-[a-z]+)?)-[a-z\d]{10}$/, '$1');

/** Words that YAML writes without quotes, and the expressions that take their places. */
const createWords = () => {
  const expressions = [];
  return {
    word: (expression) => `EXPRESSION-${expressions.push(expression) - 1}-`,
    filled: (text) => text.replace(/EXPRESSION-(\d+)-/g, (_, index) => `{{ ${expressions[index]} }}`),
  };
};

const configsOf = ({ envFrom = [], env = [] }) =>
  [...envFrom, ...env.flatMap(({ valueFrom }) => valueFrom ?? [])].flatMap(
    (one) => (one.configMapRef ?? one.configMapKeyRef)?.name ?? [],
  );

/** A change of its variables rolls the pods, as the name does that kustomize generates. */
const checksum = (template, word) => {
  const used = [...new Set(template.spec.containers.flatMap(configsOf).map(configOf))];
  if (used.length === 0) return template.metadata;
  const values = used.map((name) => `.Values.variables.${name}`).join(' ');
  const annotations = { 'checksum/variables': word(`list ${values} | toJson | sha256sum`) };
  return { ...template.metadata, annotations };
};

/** [kind, what an installation may change in it]. */
const changes = {
  Deployment: ({ metadata, spec }, word) => {
    if (spec.replicas !== undefined) spec.replicas = word(`.Values.replicas.${metadata.name}`);
    spec.template.metadata = checksum(spec.template, word);
  },
  // Before everything else: a Job can't be changed.
  Job: ({ metadata }) => {
    metadata.annotations = {
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    };
  },
  HorizontalPodAutoscaler: ({ metadata, spec }, word) => {
    spec.maxReplicas = word(`.Values.maxReplicas.${metadata.name}`);
  },
  ScaledObject: ({ metadata, spec }, word) => {
    spec.maxReplicaCount = word(`.Values.maxReplicas.${metadata.name}`);
  },
  HTTPRoute: ({ metadata, spec }, word) => {
    spec.hostnames = [word(`.Values.hostnames.${metadata.name} | toJson`)];
  },
  Gateway: ({ spec }, word) => {
    spec.gatewayClassName = word('.Values.gatewayClassName | toJson');
    for (const listener of spec.listeners)
      listener.hostname = word(`.Values.hostnames.${listener.name} | toJson`);
  },
  ConfigMap: (object, word) => {
    object.data = word(`toJson .Values.variables.${configOf(object.metadata.name)}`);
  },
};

const everywhere = (part, word, key, above) => {
  if (Array.isArray(part)) return part.map((one) => everywhere(one, word));
  if (part !== null && typeof part === 'object')
    return Object.fromEntries(
      Object.entries(part).map(([name, one]) => [name, everywhere(one, word, name, key)]),
    );
  if (key === 'image') return word('.Values.image | toJson');
  if (key === 'name' && above === 'secretKeyRef') return word('.Values.secret | toJson');
  if (part === 'roster' && (key === 'namespace' || key === 'kubernetes.io/metadata.name'))
    return word('.Release.Namespace');
  return key === 'name' ? plainName(part) : part;
};

const templateOf = (object, component) => {
  const { word, filled } = createWords();
  const changed = structuredClone(object);
  changes[object.kind]?.(changed, word);
  const text = stringify(everywhere(changed, word), { lineWidth: 0, aliasDuplicateObjects: false });
  const isScaled = object.kind === 'Deployment' && object.metadata.name === 'track';
  const whole = isScaled
    ? text.replace(/^( *replicas: .*)$/m, '{{- if not .Values.components.keda }}\n$1\n{{- end }}')
    : text;
  return component
    ? `{{- if .Values.components.${camel(component)} }}\n---\n${filled(whole)}{{- end }}\n`
    : `---\n${filled(whole)}`;
};

/** What kustomize gives without components is always there. */
const always = ['topology-spread'];
const optional = components.filter((name) => !always.includes(name));

const defaultsOf = (objects) => {
  const of = (kind, value) =>
    objects.flatMap((object) => (object.kind === kind ? [[object.metadata.name, value(object)]] : []));
  return {
    image: 'roster:0.1.0',
    secret: 'roster',
    components: Object.fromEntries(optional.map((name) => [camel(name), false])),
    hostnames: Object.fromEntries(of('HTTPRoute', ({ spec }) => spec.hostnames[0])),
    gatewayClassName: objects.find(({ kind }) => kind === 'Gateway').spec.gatewayClassName,
    replicas: Object.fromEntries(
      of('Deployment', ({ spec }) => spec.replicas).filter(([, number]) => number),
    ),
    maxReplicas: Object.fromEntries([
      ...of('HorizontalPodAutoscaler', ({ spec }) => spec.maxReplicas),
      ...of('ScaledObject', ({ spec }) => spec.maxReplicaCount),
    ]),
    variables: Object.fromEntries(
      of('ConfigMap', ({ data }) => data).map(([name, data]) => [configOf(name), data]),
    ),
  };
};

/** A misspelt value is refused; variables are texts, and there may be others. */
const schemaOf = (value, key) => {
  if (typeof value !== 'object') return { type: Number.isInteger(value) ? 'integer' : typeof value };
  const properties = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, schemaOf(one, name)]),
  );
  const isVariables = Object.values(value).every((one) => typeof one === 'string') && key !== 'hostnames';
  return { type: 'object', properties, additionalProperties: isVariables ? { type: 'string' } : false };
};

const values = (
  defaults,
) => `# The Secret \`secret\` has ROSTER_SECRET, REDIS_URL and MONGO_URL, and may have ROSTER_SECRET_ALSO. The components are those of k8s/components.
# Variables are texts (--set-string) and are listed in .env.example: \`common\` for every process.
${stringify(defaults)}`;

/** `full`: the base with all components; `bare`: with those that are always there; `alone`: what each other one adds. */
export const makeChart = (folder, version, { full, bare, alone }) => {
  const ownerOf = (object) => {
    const isIn = (list) => list.some((one) => nameOf(one) === nameOf(object));
    return isIn(bare) ? undefined : optional.find((name) => isIn(alone[name]));
  };
  const fixed = new Map(bare.map((object) => [nameOf(object), object]));
  // Helm makes no namespace for itself: `--create-namespace`.
  const objects = full
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) => fixed.get(nameOf(object)) ?? object);
  const defaults = defaultsOf(objects);
  const schema = schemaOf(defaults);
  schema.properties.global = { type: 'object' };
  mkdirSync(join(folder, 'templates'), { recursive: true });
  const write = (file, text) => writeFileSync(join(folder, file), text);
  write(
    'Chart.yaml',
    stringify({
      apiVersion: 'v2',
      name: 'roster',
      description: 'Self-hosted user data, identity and messaging',
      type: 'application',
      version,
      appVersion: version,
      kubeVersion: '>=1.33.0-0',
    }),
  );
  write('values.yaml', values(defaults));
  write('values.schema.json', JSON.stringify(schema, undefined, 2));
  write('templates/roster.yaml', objects.map((object) => templateOf(object, ownerOf(object))).join(''));
};

/** Renders what `makeChart` needs. */
export const chartObjects = async (renderWith) => ({
  full: await renderWith(components),
  bare: await renderWith(always),
  alone: Object.fromEntries(
    await Promise.all(optional.map(async (name) => [name, await renderWith([name])])),
  ),
});

export const everyComponent = optional.map((name) => `components.${camel(name)}=true`).join(',');

/** As the chart names them, without what only Helm needs: for comparing. */
export const comparable = (objects) =>
  objects
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) => {
      const { metadata, spec } = structuredClone(object);
      delete metadata.annotations;
      if (object.kind === 'Deployment') delete spec.template.metadata.annotations;
      const plain = (part, key) => {
        if (Array.isArray(part)) return part.map((one) => plain(one));
        if (part === null || typeof part !== 'object') return key === 'name' ? plainName(part) : part;
        const sorted = Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1));
        return Object.fromEntries(sorted.map(([name, one]) => [name, plain(one, name)]));
      };
      return JSON.stringify(plain({ ...object, metadata, ...(spec && { spec }) }));
    })
    .sort();
