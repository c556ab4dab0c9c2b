// A real kube-apiserver with an etcd of its own, on loopback, without a kubelet or a controller: objects are judged and stored, and no pod runs.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { goProgram } from './go-module.mjs';
import { localStack } from './local-stack.mjs';

const etcdProgram = {
  name: 'etcd',
  module: 'go.etcd.io/etcd/server/v3',
  version: 'v3.7.3',
  main: 'go.etcd.io/etcd/server/v3',
};

const settingsOf = (version) => {
  const [major, minor] = version.split('.');
  const set = (name, value) => `-X k8s.io/component-base/version.${name}=${value}`;
  return [set('gitVersion', `v${version}`), set('gitMajor', major), set('gitMinor', minor)];
};

const apiServerProgram = (version) => ({
  name: 'kube-apiserver',
  module: 'k8s.io/kubernetes',
  version: `v${version}`,
  main: 'k8s.io/kubernetes/cmd/kube-apiserver',
  published: version.replace(/^1\./, 'v0.'),
  settings: settingsOf(version),
});

const etcdArguments = (dir, [client, peer]) => [
  ...['--data-dir', join(dir, 'etcd')],
  ...['--listen-client-urls', client, '--advertise-client-urls', client],
  ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
  ...['--initial-cluster', `default=${peer}`, '--unsafe-no-fsync'],
];

const apiServerArguments = (dir, etcd, port) => [
  `--etcd-servers=${etcd}`,
  '--bind-address=127.0.0.1',
  `--secure-port=${port}`,
  `--cert-dir=${join(dir, 'certs')}`,
  `--token-auth-file=${join(dir, 'tokens.csv')}`,
  '--authorization-mode=RBAC',
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${join(dir, 'accounts.pem')}`,
  `--service-account-signing-key-file=${join(dir, 'accounts.pem')}`,
  '--service-cluster-ip-range=10.0.0.0/24',
  // It listens on loopback only, which can be no endpoint of a cluster.
  '--endpoint-reconciler-type=none',
];

const writeKeys = (dir, token) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' });
  writeFileSync(join(dir, 'accounts.pem'), pem, { mode: 0o600 });
  writeFileSync(join(dir, 'tokens.csv'), `${token},operator,1,"system:masters"\n`, { mode: 0o600 });
};

/** What kubectl needs to reach it; YAML takes JSON. */
const writeKubeconfig = (dir, port, token) => {
  const file = join(dir, 'kubeconfig');
  const server = `https://127.0.0.1:${port}`;
  const cluster = { server, 'certificate-authority': join(dir, 'certs/apiserver.crt') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'trial', cluster }],
    users: [{ name: 'operator', user: { token } }],
    contexts: [{ name: 'trial', context: { cluster: 'trial', user: 'operator' } }],
    'current-context': 'trial',
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
};

const readyWithinMs = 120_000;

const untilReady = async (isReady, part, name, dir) => {
  for (const end = Date.now() + readyWithinMs; !(await isReady()); await sleep(500)) {
    if (!part.isRunning()) throw new Error(`${name} ended; see ${dir}/${name}.log`);
    if (Date.now() > end) throw new Error(`${name} is not ready; see ${dir}/${name}.log`);
  }
};

const launchIn = (launch, dir) => (name, command, args) =>
  launch({ command, args, logFile: join(dir, `${name}.log`), pidFile: join(dir, `${name}.pid`) });

/** `{ kubeconfig, stop }`. `kubectl` is asked whether it is ready. */
export const startApiServer = async (version, dir, kubectl) => {
  const programs = [await goProgram(etcdProgram), await goProgram(apiServerProgram(version))];
  const { anyFreePort, launch } = await localStack();
  const start = launchIn(launch, dir);
  const [client, peer, port] = [await anyFreePort(), await anyFreePort(), await anyFreePort()];
  const urls = [client, peer].map((number) => `http://127.0.0.1:${number}`);
  const token = randomBytes(16).toString('hex');
  writeKeys(dir, token);
  const started = [];
  const stop = async () => {
    for (const part of started.reverse()) await part.stop(20_000);
  };
  try {
    started.push(await start('etcd', programs[0], etcdArguments(dir, urls)));
    started.push(await start('kube-apiserver', programs[1], apiServerArguments(dir, urls[0], port)));
    const kubeconfig = writeKubeconfig(dir, port, token);
    const isReady = async () =>
      existsSync(join(dir, 'certs/apiserver.crt')) &&
      (await kubectl(kubeconfig, ['get', '--raw', '/readyz'])).code === 0;
    await untilReady(isReady, started[1], 'kube-apiserver', dir);
    return { kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
