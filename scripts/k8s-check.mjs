// npm run k8s-check: whether a cluster would take what is in k8s/, as far as can be told without one. Each rule is tried with an object that breaks it, in each run.
// A real kube-apiserver says more (defaults, CEL, admission). A check with one would take the objects from the same `render` and belongs into the long runs.
import { read } from './deployed.mjs';
import { filesIn } from './files.mjs';
import { faultsOfChart } from './k8s-check/chart-check.mjs';
import { isMissed, wrongWays } from './k8s-check/network.mjs';
import { faultsOf, faultsOfAll, missedFaults } from './k8s-check/own-rules.mjs';
import { blindTo, brokenBy } from './k8s-check/pod-security.mjs';
import { faultsOfReadme, runReadme } from './k8s-check/readme.mjs';
import { components, createRenderer } from './k8s-check/render.mjs';
import { customTypes, judgeOf, typeOf } from './k8s-check/schemas.mjs';
import { kubernetesTools, versions } from './k8s-check/tools.mjs';

const problems = new Set();
const expect = (holds, sentence) => holds || problems.add(sentence);

const tools = await kubernetesTools();
const { copy, render, renderWith } = createRenderer(tools);
/** Makes the secrets of the overlay `local`, too. */
const calls = runReadme(copy);

const rendered = [];
for (const list of [[], ...components.map((name) => [name]), components])
  rendered.push({
    name: `k8s/base with ${list.join(', ') || 'nothing'}`,
    list,
    objects: await renderWith(list),
  });
const production = await render('overlays/production');
const inProduction = ['topology-spread', 'gateway', 'metrics', 'keda'];
rendered.push({ name: 'k8s/overlays/production', list: inProduction, objects: production });
const local = await render('overlays/local');
rendered.push({ name: 'k8s/overlays/local', list: [], isTrial: true, objects: local });

const placeOf = (name, { kind, metadata }) => `${name}: ${kind} ${metadata.name}`;
const all = rendered.flatMap(({ name, objects, isTrial }) =>
  objects.map((object) => ({ place: placeOf(name, object), object, isTrial })),
);
/** One of each kind. */
const samples = [...new Map(all.map(({ object }) => [typeOf(object), object])).values()];

const spoilt = (object, path) => {
  const copied = structuredClone(object);
  const part = path.reduce((inside, key) => inside?.[key], copied);
  if (part) part.misspelt = true;
  return part && copied;
};

const checkSchemas = () => {
  for (const version of versions) {
    const judge = judgeOf(version, tools.definitionsOf(version));
    for (const { place, object } of all)
      for (const fault of judge(object)) problems.add(`${place}: ${fault}`);
    for (const object of samples)
      for (const path of [[], ['metadata'], ['spec'], ['spec', 'template', 'spec', 'containers', 0]]) {
        const wrong = spoilt(object, path);
        expect(
          !wrong || judge(wrong).length > 0,
          `control: Kubernetes ${version}: a misspelt member of ${typeOf(object)} ${path.join('/')} is not refused`,
        );
      }
  }
};

const checkPods = () => {
  for (const { place, object, isTrial } of all) {
    const pod = object.spec?.template?.spec;
    if (pod) for (const rule of brokenBy(pod)) problems.add(`${place}: Pod Security restricted: ${rule}`);
    for (const fault of faultsOf(object, isTrial)) problems.add(`${place}: ${fault}`);
  }
  const sample = production.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'track');
  for (const rule of blindTo(sample.spec.template.spec))
    problems.add(`control: nobody notices a pod against: ${rule}`);
  for (const spoil of missedFaults(sample)) problems.add(`control: nobody notices ${spoil}`);
};

const anyway = {
  kind: 'NetworkPolicy',
  metadata: { name: 'anyway', namespace: 'roster' },
  spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] },
};

const checkWhole = () => {
  for (const { name, list, objects } of rendered) {
    for (const fault of faultsOfAll(objects)) problems.add(`${name}: ${fault}`);
    for (const way of wrongWays(objects, list)) problems.add(`${name}: ${way}`);
    expect(
      wrongWays([...objects, anyway], list).length > 0,
      `control: ${name}: a policy that opens everything is not noticed`,
    );
    if (list.length === 0)
      for (const object of objects)
        expect(
          !customTypes.has(typeOf(object)),
          `${placeOf(name, object)} needs a custom resource definition`,
        );
  }
};

/** In one of the renderings at least: others may have policies that do the same. */
const checkPolicies = () => {
  const policies = rendered.flatMap(({ list, objects }) =>
    objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map((policy) => [policy.metadata.name, isMissed(policy, objects, list)]),
  );
  const missed = new Set(policies.flatMap(([name, is]) => (is ? name : [])));
  for (const [name] of policies)
    expect(missed.has(name), `NetworkPolicy ${name}: without it nothing changes`);
};

const checkFiles = () => {
  for (const file of filesIn(['k8s']))
    expect(
      !/^kind: Secret$/m.test(read(file)) && !file.endsWith('.env'),
      `${file}: secrets do not belong into the repository`,
    );
};

checkSchemas();
checkPods();
checkWhole();
checkPolicies();
checkFiles();
for (const fault of faultsOfReadme({ calls, folder: copy, tools, objects: local })) problems.add(fault);
for (const fault of await faultsOfChart({ folder: `${copy}/chart`, tools, calls, renderWith, production }))
  problems.add(fault);

for (const problem of problems) console.error(problem);
console.log(
  `k8s-check: ${all.length} objects of ${rendered.length} renderings, Kubernetes ${versions.join(', ')}: ${problems.size} problems.`,
);
process.exitCode = problems.size > 0 ? 1 : 0;
