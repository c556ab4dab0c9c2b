/** The whole system: Redis, MongoDB, and every service as a process of its own. */
import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sayOnStderr } from '../find/search.ts';
import { givingUp, untilAborted } from '../giving-up.ts';
import { workingIn } from '../servers/folder-error.ts';
import { assertFree, freePort } from '../servers/ports.ts';
import { cliScript, serviceScript } from './checkout.ts';
import { demo, demoKey, demoToken, scimOrigin } from './demo.ts';
import { claim, endLeftovers, openHome, secretOf, tellSecrets } from './home.ts';
import { trimLogs } from './logs.ts';
import { type ProcessPlan, plan, type StackOptions } from './options.ts';
import type { Part } from './part.ts';
import { type Stack, writeLocal } from './running.ts';
import { type Site, startBackings, startIn } from './servers.ts';
import { startService } from './service.ts';
import { type Cli, isKnown, type Setup, setUp } from './setup.ts';

const serviceStopMs = 25_000;
const readyWithinMs = 180_000;

/** The same at each start, so that a link holds. */
const outboxTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('outbox').digest('base64url');

const environment = (
  site: Site,
  { redisUrl, mongoUrl, secret }: Pick<Stack, 'redisUrl' | 'mongoUrl' | 'secret'>,
): NodeJS.ProcessEnv => ({
  ...process.env,
  ROSTER_HOME: site.home.dir,
  REDIS_URL: redisUrl,
  MONGO_URL: mongoUrl,
  ROSTER_SECRET: secret,
  OUTBOX_TOKEN: process.env.OUTBOX_TOKEN || outboxTokenOf(secret),
  CREDENTIALS_DIR: process.env.CREDENTIALS_DIR || site.home.file('credentials'),
  FILES_DIR: process.env.FILES_DIR || site.home.file('files'),
  // Several processes on one machine cannot share a port.
  ADMIN_PORT: '0',
});

/** Links to them are sent and kept, so their addresses are known before anything starts, and stay the same. */
const lasting = [
  { service: 'monitor', option: 'monitorPort', variable: 'MONITOR_PORT' },
  { service: 'pages', option: 'pagesPort', variable: 'PAGES_PORT' },
] as const;
const usualPorts = { monitor: 3000, pages: 8090 } as const;

const choosePorts = async ({ home, options, ports }: Site): Promise<void> => {
  const planned = new Set(plan(options).map(({ name }) => name));
  for (const { service, option } of lasting) {
    if (!planned.has(service)) continue;
    const usual = options.usualPorts ? usualPorts[service] : undefined;
    ports.set(service, options[option] || (await freePort(home.file(`${service}.port`), usual)));
  }
};

const portsOf = ({ options, ports }: Site, { name, service }: ProcessPlan): Record<string, string> => {
  // Once it has a port it keeps it, so that its address survives a restart.
  const port = (process: string, own = 0) => String(ports.get(process) ?? own);
  if (service === 'ingress')
    return {
      PORT: port(name, options.port),
      BOARD_URL: process.env.BOARD_URL || address(ports.get('monitor')),
    };
  if (service === 'monitor') return { MONITOR_PORT: port(name) };
  return { PAGES_PORT: service === 'pages' ? port(name) : port('pages', usualPorts.pages) };
};

const startProcess = (site: Site, planned: ProcessPlan, shared: NodeJS.ProcessEnv): Promise<Part> => {
  const { home, options, ports } = site;
  const { name, service } = planned;
  const start = async () => {
    const launched = await startService({
      name,
      script: planned.script ?? serviceScript(service),
      env: { ...shared, ...portsOf(site, planned), ...options.env, ...planned.env },
      logFile: home.logFile(name),
      pidFile: home.pidFile(name),
    });
    if (launched.port !== undefined) ports.set(name, launched.port);
    return launched;
  };
  return startIn(site, { name, start, stopWithinMs: serviceStopMs });
};

/** All at once. When one fails, the others are known and can be taken down. */
const startServices = async (site: Site, shared: NodeJS.ProcessEnv): Promise<void> => {
  const starting = plan(site.options).map(async (planned) => {
    site.services.push(await startProcess(site, planned, shared));
  });
  const failed = (await Promise.allSettled(starting)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
};

const untilReady = async (baseUrl: string): Promise<void> => {
  let last = 'no answer';
  for (const end = Date.now() + readyWithinMs; Date.now() < end; await sleep(50)) {
    givingUp()?.throwIfAborted();
    // Not up yet.
    const response = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    if (response) last = await response.text();
  }
  throw new Error(`the ingress is not ready after ${readyWithinMs / 1000} s: ${last}`);
};

const address = (port: number | undefined): string => {
  const host = process.env.HOST;
  const reachable = !host || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return port === undefined ? '' : `http://${reachable}:${port}`;
};

const setupsOf = ({ services }: StackOptions): Setup[] =>
  (services?.includes('scim') ?? true) ? [demoKey, demoToken] : [demoKey];

/** The servers may be others than yesterday's, and not know what is kept. */
const renewUnknown = async ({ home, options }: Site, cli: Cli, baseUrl: string): Promise<void> => {
  const unknown: Setup[] = [];
  for (const setup of setupsOf(options))
    if (!(await isKnown(baseUrl, home.text(setup.file), setup))) unknown.push(setup);
  if (unknown.length > 0) await setUp(home, cli, unknown);
};

const bringUp = async (site: Site): Promise<Omit<Stack, 'stop'>> => {
  const { home, options } = site;
  const { port = 0 } = options;
  const progress = (step: string): void => {
    options.signal?.throwIfAborted();
    options.progress?.(step);
  };
  await endLeftovers(home);
  await assertFree('PORT', port);
  for (const { option, variable } of lasting) await assertFree(variable, options[option] ?? 0);
  await choosePorts(site);
  const secret = secretOf(home, options.secret);
  progress('starting Redis and MongoDB ...');
  const urls = await startBackings(site);
  const shared = environment(site, { ...urls, secret });
  const cli = { script: options.cli ?? cliScript(), env: { ...shared, ...options.env } };
  tellSecrets(home, cli.env);
  progress('preparing the database ...');
  const setups = setupsOf(options);
  const lacking = setups.filter(({ file }) => home.text(file) === '');
  await setUp(home, cli, lacking);
  progress(`starting ${plan(options).length} services ...`);
  await startServices(site, shared);
  const baseUrl = address(site.ports.get('ingress'));
  if (baseUrl) {
    progress('waiting for the first answer ...');
    await untilReady(baseUrl);
    await renewUnknown(site, cli, baseUrl);
  }
  const processes = Object.fromEntries([...site.backings, ...site.services].map((part) => [part.name, part]));
  const monitorUrl = address(site.ports.get('monitor'));
  return {
    ...demo,
    dir: home.dir,
    baseUrl,
    monitorUrl,
    outboxToken: shared.OUTBOX_TOKEN ?? '',
    pagesUrl: cli.env.PAGES_URL || address(site.ports.get('pages')),
    credentialsDir: cli.env.CREDENTIALS_DIR ?? '',
    filesDir: cli.env.FILES_DIR ?? '',
    apiKey: home.text(demoKey.file),
    scimToken: setups.includes(demoToken) ? home.text(demoToken.file) : '',
    scimOrigin,
    ...urls,
    secret,
    processes,
  };
};

/** First nothing more comes in, then the workers finish, then the servers under them go. */
const takeDown = async ({ services, backings }: Site): Promise<void> => {
  const doors = services.filter(({ name }) => name === 'ingress');
  const rest = services.filter(({ name }) => name !== 'ingress');
  for (const parts of [doors, rest, backings]) await Promise.all(parts.map((part) => part.stop()));
};

const againMs = 5_000;

/** A process that was started again goes on even when the disk is too full to note where it is. */
const keepLocal = (site: Site, stack: Stack): void => {
  try {
    writeLocal(site.home, stack);
  } catch (error) {
    site.say(`local.json is out of date: ${error instanceof Error ? error.message : error}`);
    setTimeout(() => site.changed(), againMs).unref();
  }
};

const start = async (options: StackOptions): Promise<Stack> => {
  const home = openHome(resolve(options.dir));
  const { stopping, release } = await claim(home);
  const site: Site = {
    home,
    options,
    say: options.say ?? sayOnStderr,
    backings: [],
    services: [],
    ports: new Map(),
    changed: () => {},
  };
  const endTrimming = trimLogs(() => site.services.map(({ name }) => home.logFile(name)));
  const end = async () => {
    site.changed = () => {};
    endTrimming();
    stopping();
    await takeDown(site);
    release();
  };
  let ended: Promise<void> | undefined;
  const stop = () => {
    ended ??= end();
    return ended;
  };
  try {
    const stack = { ...(await bringUp(site)), stop };
    writeLocal(home, stack);
    site.changed = () => keepLocal(site, stack);
    return stack;
  } catch (error) {
    await stop();
    options.signal?.throwIfAborted();
    throw error;
  }
};

export const startStack = (options: StackOptions): Promise<Stack> =>
  untilAborted(options.signal, () =>
    workingIn({ variable: 'ROSTER_HOME', dir: resolve(options.dir) }, () => start(options)),
  );
