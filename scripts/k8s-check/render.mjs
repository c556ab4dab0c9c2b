// The objects of k8s/, by kustomize, from a copy that is removed at the end.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root, runQuiet } from '../processes.mjs';

export const components = readdirSync(join(root, 'k8s/components'));

export const objectsIn = (text) => parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);

export const createRenderer = ({ kubectl }) => {
  const copy = mkdtempSync(join(tmpdir(), 'k8s-check-'));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(root, 'k8s'), join(copy, 'k8s'), { recursive: true });

  const render = async (folder) => {
    const { code, output } = await runQuiet(kubectl, ['kustomize', join(copy, 'k8s', folder)]);
    if (code !== 0) throw new Error(`k8s/${folder} can't be rendered: ${output.trim()}`);
    return objectsIn(output);
  };

  /** The base with these components. */
  const renderWith = (list) => {
    const folder = join('combinations', list.join('+') || 'none');
    mkdirSync(join(copy, 'k8s', folder), { recursive: true });
    writeFileSync(
      join(copy, 'k8s', folder, 'kustomization.yaml'),
      JSON.stringify({
        resources: ['../../base'],
        components: list.map((one) => `../../components/${one}`),
      }),
    );
    return render(folder);
  };
  return { copy, render, renderWith };
};
