// Manifests as a cluster gets them: every overlay and job, and every component on the base alone.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { localStack } from './local-stack.mjs';
import { root, runQuiet } from './processes.mjs';

const kustomization = 'kustomization.yaml';

/** Overlays, jobs and the base; folders of components are none. */
const folders = () =>
  readdirSync(join(root, 'k8s'), { recursive: true })
    .filter((path) => basename(path) === kustomization)
    .filter((path) => !readFileSync(join(root, 'k8s', path), 'utf8').includes('kind: Component'))
    .map((path) => join('k8s', dirname(path)))
    .sort();

const components = () => readdirSync(join(root, 'k8s/components')).map((name) => `k8s/components/${name}`);

/** Objects of one folder, in the order in which they are applied. */
const objectsIn = async (kubectl, folder, cwd = root) => {
  const { code, output } = await runQuiet(kubectl, ['kustomize', join(cwd, folder)]);
  // Deprecated fields are warnings.
  if (code !== 0 || /^# Warning/m.test(output)) throw new Error(`${folder}: ${output.trim()}`);
  return parseAllDocuments(output).map((document) => document.toJS());
};

const withBase = async (kubectl, component) => {
  const scraps = realpathSync(mkdtempSync(join(tmpdir(), 'roster-component-')));
  const [base, own] = ['k8s/base', component].map((folder) =>
    relative(scraps, realpathSync(join(root, folder))),
  );
  const wanted = { resources: [base], components: [own] };
  writeFileSync(join(scraps, kustomization), JSON.stringify(wanted));
  try {
    return await objectsIn(kubectl, '.', scraps);
  } finally {
    rmSync(scraps, { recursive: true, force: true });
  }
};

export const findKubectl = async () => (await localStack()).ensureKubectl();

/** `[{ folder, objects }]` */
export const renderAll = (kubectl) =>
  Promise.all([
    ...folders().map(async (folder) => ({ folder, objects: await objectsIn(kubectl, folder) })),
    ...components().map(async (folder) => ({ folder, objects: await withBase(kubectl, folder) })),
  ]);
