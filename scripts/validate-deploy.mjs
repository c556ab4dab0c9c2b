// Checks docker-compose.yml and the Dockerfile without Docker: a few rules that reviews forget. `npm run k8s-check` does the same for k8s/.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isPinned, isSecret, processesOf, read, variables } from './deployed.mjs';
import { root } from './processes.mjs';

const problems = [];
const expect = (holds, place, sentence) => holds || problems.push(`${place}: ${sentence}`);

const expectKnown = (names, place) => {
  for (const name of names) expect(variables.has(name), place, `${name} is no variable of ours`);
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

/** A service that somebody adds must not be forgotten in one of the places. */
const checkEveryService = () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true });
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
checkEveryService();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
