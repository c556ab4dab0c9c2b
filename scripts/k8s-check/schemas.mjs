// Whether an object is what a cluster takes: by the schemas of Kubernetes in several versions, and by those of the custom objects. An unknown member is refused.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

export const typeOf = ({ apiVersion, kind }) => `${apiVersion} ${kind}`;
const definitionsId = 'https://kubernetes.io/api/_definitions.json';
const metadata = { $ref: `${definitionsId}#/$defs/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta` };

/** What the cluster does with unknown members of a custom object under `kubectl apply`. */
const strict = (part) => {
  if (Array.isArray(part)) return part.map(strict);
  if (part === null || typeof part !== 'object') return part;
  const inside = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, strict(one)]));
  const isOpen = part['x-kubernetes-preserve-unknown-fields'] || part.additionalProperties !== undefined;
  return part.type === 'object' && part.properties && !isOpen
    ? { ...inside, additionalProperties: false }
    : inside;
};

const custom = JSON.parse(readFileSync(new URL('crds.json', import.meta.url), 'utf8'));
export const customTypes = new Set(custom.map(({ object }) => object));

const customSchemas = () =>
  custom.map(({ object, spec }) => {
    const [apiVersion, kind] = object.split(' ');
    const properties = {
      apiVersion: { const: apiVersion },
      kind: { const: kind },
      metadata,
      spec: strict(spec),
    };
    return [object, { type: 'object', properties, required: ['spec'], additionalProperties: false }];
  });

const builtIn = ({ $defs }) =>
  Object.entries($defs).flatMap(([name, { 'x-kubernetes-group-version-kind': kinds = [] }]) =>
    kinds.map(({ group, version, kind }) => [
      typeOf({ apiVersion: group ? `${group}/${version}` : version, kind }),
      { $ref: `${definitionsId}#/$defs/${name}` },
    ]),
  );

const sentence = ({ instancePath, message, params }) =>
  [instancePath, message, params.additionalProperty ?? params.allowedValues?.join(', ')]
    .filter(Boolean)
    .join(' ');

/** Says what is wrong with an object in one version of Kubernetes, in sentences. */
export const judgeOf = (version, definitions) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(definitions);
  const schemas = new Map([...builtIn(definitions), ...customSchemas()]);
  const compiled = new Map();
  return (object) => {
    const type = typeOf(object);
    const schema = schemas.get(type);
    if (!schema) return [`Kubernetes ${version} and the components know no ${type}`];
    if (!compiled.has(type)) compiled.set(type, ajv.compile(schema));
    const judge = compiled.get(type);
    return judge(object) ? [] : judge.errors.map((error) => `Kubernetes ${version}: ${sentence(error)}`);
  };
};
