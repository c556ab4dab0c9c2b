// Checks docker-compose.yml, k8s/ and the Dockerfile without Docker or a cluster: a few rules that reviews forget.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from './processes.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const problems = [];
const expect = (holds, place, sentence) => holds || problems.push(`${place}: ${sentence}`);

const isPinned = (image) => /:[\w.-]*\d[\w.-]*$|@sha256:/.test(image ?? '');
const isSecret = (name) => /SECRET|PASSWORD|TOKEN/.test(name);

/** Every variable that a process reads; whatever else is set would have no effect. */
const known = new Set(
  read('packages/runtime/src/variables.ts')
    .match(/^ {2}[A-Z][A-Z_]+(?=:)/gm)
    .map((name) => name.trim()),
);
const expectKnown = (names, place) => {
  for (const name of names) expect(known.has(name), place, `${name} is no variable of ours`);
};

const checkDockerfile = () => {
  const text = read('Dockerfile');
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  for (const image of bases) expect(isPinned(image), 'Dockerfile', `${image} is not pinned`);
  expect(/^USER [1-9]\d*:/m.test(text), 'Dockerfile', 'the last user must be a number that is not root');
  expect(/^HEALTHCHECK /m.test(text), 'Dockerfile', 'there is no health check');
  const kept = read('.dockerignore').match(/(?<=^!)scripts\/.*$/gm) ?? [];
  for (const script of kept)
    for (const [, name] of read(script).matchAll(/from '\.\/(.*\.mjs)'/g))
      expect(kept.includes(`scripts/${name}`), '.dockerignore', `${script} needs scripts/${name}`);
};

const portIsLocal = (port) => String(port).startsWith('127.0.0.1:');

const checkComposeService = ([name, service]) => {
  const place = `docker-compose.yml ${name}`;
  const { image, ports = [], environment = {}, command, entrypoint } = service;
  expect(isPinned(image), place, `${image} is not pinned`);
  expect(service.cap_drop?.includes('ALL'), place, 'capabilities are not dropped');
  expect(service.security_opt?.includes('no-new-privileges:true'), place, 'privileges may grow');
  expect(service.pids_limit, place, 'there is no limit of processes');
  for (const port of ports) expect(portIsLocal(port), place, `port ${port} is published beyond loopback`);
  for (const [key, value] of Object.entries(environment))
    if (isSecret(key)) expect(/^\$\{\w+:(\?.+|-)\}$/.test(value), place, `${key} must come from outside`);
  if (!service.build) return;
  expectKnown(Object.keys(environment), place);
  expect(service.read_only === true, place, 'read_only is not set');
  expect(service.mem_limit, place, 'there is no memory limit');
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
  for (const setting of [
    '--appendonly yes',
    '--appendfsync always',
    '--maxmemory-policy noeviction',
    'requirepass $',
  ])
    expect(redis.includes(setting), 'docker-compose.yml redis', `${setting} is missing`);
  expect(
    services.mongo.entrypoint.join(' ').includes('--keyFile'),
    'docker-compose.yml mongo',
    'no password is asked for',
  );
};

const checkContainer = (place, container) => {
  const { image, securityContext = {}, resources = {}, env = [] } = container;
  expect(isPinned(image), place, `${image} is not pinned`);
  expect(securityContext.allowPrivilegeEscalation === false, place, 'privileges may be escalated');
  expect(securityContext.readOnlyRootFilesystem === true, place, 'the root file system can be written');
  expect(securityContext.capabilities?.drop?.includes('ALL'), place, 'capabilities are not dropped');
  expect(
    resources.limits?.memory && resources.limits.memory === resources.requests?.memory,
    place,
    'memory: limit and request differ',
  );
  expect(!resources.limits?.cpu, place, 'a CPU limit makes workers lose their locks');
  expectKnown(
    env.map(({ name }) => name),
    place,
  );
  for (const { name, value } of env)
    expect(value === undefined, place, `${name} must be a reference, not a value`);
};

const checkPod = (place, pod) => {
  expect(pod.securityContext?.runAsNonRoot === true, place, 'it may run as root');
  expect(
    pod.securityContext?.seccompProfile?.type === 'RuntimeDefault',
    place,
    'there is no seccomp profile',
  );
  expect(pod.automountServiceAccountToken === false, place, 'a service account token is mounted');
  for (const container of pod.containers) checkContainer(place, container);
};

const checkDeployment = (place, { spec }) => {
  const pod = spec.template.spec;
  checkPod(place, pod);
  // A stop takes up to 25 s (packages/runtime/src/run.ts).
  expect(pod.terminationGracePeriodSeconds >= 30, place, 'the grace period is too short');
  for (const container of pod.containers)
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(container[probe]?.httpGet?.port === 'admin', place, `${probe} does not ask the admin port`);
};

const checkKustomization = (place, { resources = [], configMapGenerator = [] }, folder) => {
  const files = readdirSync(join(root, folder));
  for (const name of resources)
    expect(name.startsWith('..') || files.includes(name), place, `${name} is not there`);
  for (const { literals = [] } of configMapGenerator) {
    const names = literals.map((literal) => literal.split('=')[0]);
    expectKnown(names, place);
    for (const name of names) expect(!isSecret(name), place, `${name} does not belong into a ConfigMap`);
  }
};

/** What senders refuse to ask; `2000::/3` is what they ask at all of IPv6. */
const refusedBlocks = () =>
  [...read('packages/channels/src/http/private-ips.ts').matchAll(/\['([\da-f.:]+)', (\d+)\]/g)]
    .map(([, ip, bits]) => `${ip}/${bits}`)
    .sort();

const checkPolicy = (place, { spec }) => {
  if (!place.endsWith('-to-providers')) return;
  const blocks = spec.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock.except));
  expect(`${blocks.sort()}` === `${refusedBlocks()}`, place, 'it lets out what the process refuses, or less');
  for (const { ports = [] } of spec.egress) expect(ports.length > 0, place, 'every port is open');
};

const checkFile = (folder, name) => {
  const file = `${folder}/${name}`;
  for (const document of parseAllDocuments(read(file))) {
    for (const error of document.errors) expect(false, file, error.message);
    const resource = document.toJS();
    const place = `${file} ${resource.kind} ${resource.metadata?.name ?? ''}`;
    if (resource.kind === 'Deployment') checkDeployment(place, resource);
    if (resource.kind === 'Job') checkPod(place, resource.spec.template.spec);
    if (resource.kind === 'NetworkPolicy') checkPolicy(place, resource);
    if (resource.kind === 'Kustomization') checkKustomization(file, resource, folder);
    expect(resource.kind !== 'Secret', place, 'secrets do not belong into the repository');
  }
};

const checkKubernetes = () => {
  const folders = [
    'k8s/base',
    ...readdirSync(join(root, 'k8s/overlays')).map((name) => `k8s/overlays/${name}`),
  ];
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder))) if (/\.ya?ml$/.test(name)) checkFile(folder, name);
};

/** As scripts/bundle.mjs names them: `pages-main.ts` is the process `pages`. */
const processesOf = (service) =>
  readdirSync(join(root, `services/${service}/src`))
    .filter((file) => /^([a-z]+-)?main\.ts$/.test(file))
    .map((file) => (file === 'main.ts' ? service : file.replace('-main.ts', '')));

/** A service that somebody adds must not be forgotten in one of the places. */
const checkEveryService = () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true });
  const deployed = parse(read('k8s/base/kustomization.yaml')).resources;
  const all = readdirSync(join(root, 'services'));
  for (const service of all)
    expect(
      read('Dockerfile').includes(`-w @roster/${service}-service`),
      'Dockerfile',
      `@roster/${service}-service is not installed`,
    );
  for (const name of all.flatMap(processesOf)) {
    const script = `bundle/${name}.js`;
    const isComposed = services[name]?.command?.includes(script);
    expect(isComposed, 'docker-compose.yml', `there is no ${name} that runs ${script}`);
    expect(deployed.includes(`${name}.yaml`), 'k8s/base/kustomization.yaml', `${name}.yaml is missing`);
    expect(read(`k8s/base/${name}.yaml`).includes(script), `k8s/base/${name}.yaml`, `${script} is not run`);
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
checkKubernetes();
checkEveryService();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
