// Checks docker-compose.yml, k8s/ and the Dockerfile without Docker or a cluster: a few rules that reviews forget. kubectl renders k8s/.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { unnoticed } from './deploy-controls.mjs';
import { judgeRendering } from './deploy-folders.mjs';
import { isPinned } from './deploy-pods.mjs';
import { isSecret, unknownIn } from './deploy-settings.mjs';
import { root } from './processes.mjs';
import { findKubectl, renderAll } from './rendering.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const problems = [];
const expect = (holds, place, sentence) => holds || problems.push(`${place}: ${sentence}`);

const expectKnown = (names, place) => {
  for (const sentence of unknownIn(names)) expect(false, place, sentence);
};

const checkDockerfile = () => {
  const text = read('Dockerfile');
  const stages = new Set([
    'scratch',
    ...[...text.matchAll(/^FROM \S+ AS (\S+)/gm)].map(([, stage]) => stage),
  ]);
  const bases = [...text.matchAll(/^FROM (\S+)/gm)]
    .map(([, image]) => image)
    .filter((one) => !stages.has(one));
  for (const image of bases) expect(isPinned(image), 'Dockerfile', `${image} is not pinned`);
  expect(/^USER [1-9]\d*:/m.test(text), 'Dockerfile', 'the last user must be a number that is not root');
  expect(/^HEALTHCHECK /m.test(text), 'Dockerfile', 'there is no health check');
};

const portIsLocal = (port) => String(port).startsWith('127.0.0.1:');

/** Compose asks for it, or the container does and ends: Compose would ask also where the profile is not used. */
const isAskedFor = (key, value, { profiles, entrypoint }) =>
  /^\$\{\w+:\?/.test(value) || (profiles && String(entrypoint).includes(`[ -n "$$${key}" ] ||`));

const checkComposeService = ([name, service]) => {
  const place = `docker-compose.yml ${name}`;
  const { image, ports = [], environment = {}, command, entrypoint, volumes = [] } = service;
  expect(service.mem_limit || name === 'mongo-init', place, 'there is no memory limit');
  for (const [from] of volumes.map((volume) => volume.split(':')))
    expect(!from.startsWith('./') || existsSync(join(root, from)), place, `${from} is not there`);
  expect(isPinned(image), place, `${image} is not pinned`);
  for (const port of ports) expect(portIsLocal(port), place, `port ${port} is published beyond loopback`);
  for (const [key, value] of Object.entries(environment))
    if (isSecret(key)) expect(isAskedFor(key, value, service), place, `${key} must come from outside`);
  if (!service.build) return;
  expectKnown(Object.keys(environment), place);
  expect(service.read_only === true, place, 'read_only is not set');
  expect(service.cap_drop?.includes('ALL'), place, 'capabilities are not dropped');
  expect(
    /^bundle\/\w+\.js$/.test((entrypoint ?? command)?.[1]),
    place,
    'the command is none of our processes',
  );
};

/** Merge keys (`<<`) are YAML 1.1. */
const checkCompose = () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true });
  for (const entry of Object.entries(services)) checkComposeService(entry);
  const redis = services.redis.command.join(' ');
  for (const setting of ['--appendonly yes', '--appendfsync always', '--maxmemory-policy noeviction'])
    expect(redis.includes(setting), 'docker-compose.yml redis', `${setting} is missing`);
};

const checkKubernetes = async () => {
  const rendered = await renderAll(await findKubectl());
  for (const rendering of rendered)
    for (const sentence of judgeRendering(rendering)) expect(false, rendering.folder, sentence);
  for (const sentence of unnoticed(rendered)) expect(false, 'scripts/deploy-controls.mjs', sentence);
};

/** A service that somebody adds must not be forgotten in one of the places. */
const checkEveryService = () => {
  const names = readdirSync(join(root, 'services'));
  const { services } = parse(read('docker-compose.yml'), { merge: true });
  const deployed = parse(read('k8s/base/kustomization.yaml')).resources;
  for (const name of names) {
    const script = `bundle/${name}.js`;
    const isComposed = services[name]?.command?.includes(script);
    expect(isComposed, 'docker-compose.yml', `there is no ${name} that runs ${script}`);
    expect(deployed.includes(`${name}.yaml`), 'k8s/base/kustomization.yaml', `${name}.yaml is missing`);
    expect(read(`k8s/base/${name}.yaml`).includes(script), `k8s/base/${name}.yaml`, `${script} is not run`);
    const isBuilt = new RegExp(`tsc -b .*\\bservices/${name}\\b`).test(read('Dockerfile'));
    expect(isBuilt, 'Dockerfile', `services/${name} is not compiled`);
  }
  // Every manifest of a workspace, or the lock file does not fit what is installed.
  for (const folder of JSON.parse(read('package.json')).workspaces.filter((each) => !each.includes('*')))
    expect(
      read('.dockerignore').includes(`!${folder}/package.json`),
      '.dockerignore',
      `${folder} is missing`,
    );
};

checkDockerfile();
checkCompose();
await checkKubernetes();
checkEveryService();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
