// node scripts/k8s-check/make-crds.mjs (needs Go): writes crds.json anew, the schemas of the custom objects in k8s/, from the definitions that their projects publish
// (Apache-2.0). Without descriptions, statuses and rules in CEL, which only a server can judge, they are a hundredth of the size; so the gate needs no Go.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const gateway = 'sigs.k8s.io/gateway-api@v1.7.0/config/crd/standard/gateway.networking.k8s.io_';
const files = [
  'github.com/kedacore/keda/v2@v2.21.0/config/crd/bases/keda.sh_scaledobjects.yaml',
  'github.com/prometheus-operator/prometheus-operator@v0.85.0/example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  `${gateway}gateways.yaml`,
  `${gateway}httproutes.yaml`,
];

const scraps = mkdtempSync(join(tmpdir(), 'crds-'));
const env = { ...process.env, GOMODCACHE: scraps, GOFLAGS: '-modcacherw' };

/** As a zip: a module that asks for a newer Go than this one arrives all the same, but is not unpacked. */
const textOf = (file) => {
  const [, module, version] = /^(.+?)@(v[\d.]+)\//.exec(file);
  try {
    execFileSync('go', ['mod', 'download', `${module}@${version}`], { env, cwd: scraps, stdio: 'ignore' });
  } catch {
    // Whether it has arrived is seen below.
  }
  const zip = join(scraps, 'cache/download', module, '@v', `${version}.zip`);
  return execFileSync('unzip', ['-p', zip, file], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
};

const isLeftOut = (name) =>
  ['description', 'default', 'example', 'externalDocs'].includes(name) ||
  (name.startsWith('x-kubernetes-') && name !== 'x-kubernetes-preserve-unknown-fields');

/** `named`: the members are names of an object's own, not words of the schema. */
const slim = (part, named = false) => {
  if (Array.isArray(part)) return part.map((one) => slim(one));
  if (part === null || typeof part !== 'object') return part;
  const kept = Object.entries(part).filter(([name]) => named || !isLeftOut(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, slim(one, !named && name === 'properties')]));
};

const schemasIn = (file) => {
  const { spec } = parse(textOf(file));
  const { name, schema } = spec.versions.find(({ storage }) => storage);
  const { spec: wanted } = schema.openAPIV3Schema.properties;
  return {
    object: `${spec.group}/${name} ${spec.names.kind}`,
    from: file.split('/config')[0].split('/example')[0],
    spec: slim(wanted),
  };
};

writeFileSync(
  new URL('crds.json', import.meta.url),
  `[\n${files.map((file) => JSON.stringify(schemasIn(file))).join(',\n')}\n]\n`,
);
rmSync(scraps, { recursive: true });
