// npm run chart: writes the Helm chart of k8s/ to release/chart/, or to the folder that is named, for `helm install`.
import { rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { read } from './deployed.mjs';
import { chartObjects, makeChart } from './k8s-check/chart.mjs';
import { createRenderer } from './k8s-check/render.mjs';
import { kubernetesTools } from './k8s-check/tools.mjs';
import { root } from './processes.mjs';

const { renderWith } = createRenderer(await kubernetesTools());
const folder = resolve(root, process.argv[2] ?? 'release/chart');
rmSync(folder, { recursive: true, force: true });
makeChart(folder, JSON.parse(read('package.json')).version, await chartObjects(renderWith));
console.log(`${relative(root, folder)}: the chart. k8s/README.md says how to install it.`);
