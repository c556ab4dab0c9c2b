// Real Redis and mongod; the services and `roster` are tiny programs that only start and stop as the real ones do. What is asked by fetch is such a
// program, and no server of ours.

import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening, until, useFolder } from '@roster/testkit';
import { services } from './options.ts';
import { removeStack } from './remove.ts';
import type { Stack } from './running.ts';
import { startStack } from './stack.ts';

const service = `
import { createServer } from 'node:http';
if (process.env.FAILS) { console.error('no luck today'); process.exit(3); }
const { PORT, MONITOR_PORT, PAGES_PORT } = process.env;
const wanted = PORT ?? MONITOR_PORT ?? (process.argv[1].endsWith('pages.mjs') ? PAGES_PORT : undefined);
const server = createServer((request, response) => {
  const known = request.headers.authorization !== 'Bearer forgotten';
  response.statusCode = request.url === '/users/track' && !known ? 401 : 200;
  response.end(JSON.stringify({ redis: process.env.REDIS_URL, extra: process.env.EXTRA }));
});
server.listen(Number(wanted ?? 0), '127.0.0.1', () =>
  process.send({ ready: true, ...(wanted !== undefined && { port: server.address().port }) }));
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
`;
const roster = `
const answer = JSON.stringify({ key: 'rk_' + process.pid, token: 'rs_' + process.pid });
console.log(JSON.stringify(process.argv.slice(2).map(() => answer)));
`;

/** Everything, with a mongod of its own. */
const whole = { services, mongo: { cacheGb: 0.25 } };
/** For tests about one process: few others, and the MongoDB of the test run. */
const small = {
  services: ['ingress', 'track'],
  mongo: { url: process.env.ROSTER_TEST_MONGO ?? '' },
};

describe('the stack', () => {
  let dir = '';
  let stack: Stack | undefined;

  const start = async (more = {}): Promise<Stack> => {
    const entry = Object.fromEntries(services.map((name) => [name, inWork('service.mjs')]));
    entry.pages = inWork('pages.mjs');
    const cli = inWork('roster.mjs');
    stack = await startStack({ dir, entry, cli, say: () => {}, ...small, ...more });
    return stack;
  };
  const local = () => JSON.parse(readFileSync(join(dir, 'local.json'), 'utf8'));

  afterEach(() => stack?.stop());
  const inWork = useFolder({ forEach: true });
  beforeEach(async () => {
    dir = inWork('home');
    for (const file of ['service.mjs', 'pages.mjs']) await writeFile(inWork(file), service);
    await writeFile(inWork('roster.mjs'), roster);
  });

  it('brings everything up, tells of each step and where it is, and takes everything down', async () => {
    const steps: string[] = [];
    const { baseUrl, processes, stop } = await start({
      ...whole,
      trackWorkers: 2,
      env: { EXTRA: 'for all' },
      progress: (step: string) => steps.push(step),
    });
    expect(steps).toEqual([
      'starting Redis and MongoDB ...',
      'preparing the database ...',
      `starting ${services.length + 1} services ...`,
      'waiting for the first answer ...',
    ]);
    const names = ['redis', 'mongod', ...services, 'track-2'];
    expect(Object.keys(processes).sort()).toEqual([...names].sort());
    expect(local()).toMatchObject({ baseUrl, workspace: 'demo', pids: { track: processes.track?.pid } });
    expect((await fetch(local().pagesUrl)).status).toBe(200);
    expect([local().credentialsDir, local().filesDir]).toEqual([
      join(dir, 'credentials'),
      join(dir, 'files'),
    ]);
    expect(statSync(join(dir, 'local.json')).mode & 0o777).toBe(0o600);
    expect(await (await fetch(baseUrl)).json()).toEqual({ redis: stack?.redisUrl, extra: 'for all' });
    await stop();
    expect(existsSync(join(dir, 'local.json'))).toBe(false);
    expect(Object.values(processes).filter((process) => process.isRunning())).toEqual([]);
  });

  it('keeps its key and secret for the next start, and makes another key where this one is not known', async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect([second.apiKey, second.secret]).toEqual([first.apiKey, first.secret]);
    await second.stop();
    await writeFile(join(dir, 'demo-key'), 'forgotten');
    expect((await start()).apiKey).toMatch(/^rk_\d+$/);
  });

  it('tells the secret that it was given, and keeps its own', async () => {
    const kept = await start();
    await kept.stop();
    const stack = await start({ secret: 'a secret that was given' });
    const file = join(dir, 'secrets.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ROSTER_SECRET: 'a secret that was given' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await stack.stop();
    expect(existsSync(file)).toBe(false);
    expect((await start()).secret).toBe(kept.secret);
  });

  it('has its pages and its board at the same address as last time, which is the usual one or the next', async () => {
    const some = { services: ['ingress', 'monitor', 'pages', 'sender'], usualPorts: true };
    const ask = async ({ pagesUrl, monitorUrl }: Stack) => {
      expect([(await fetch(pagesUrl)).status, (await fetch(monitorUrl)).status]).toEqual([200, 200]);
      return [pagesUrl, monitorUrl].map((url) => Number(new URL(url).port));
    };
    const first = await start(some);
    const ports = await ask(first);
    expect(ports.map((port) => [8090, 3000].filter((usual) => port >= usual && port < usual + 20))).toEqual([
      [8090],
      [3000],
    ]);
    await first.stop();
    expect(await ask(await start(some))).toEqual(ports);
  });

  it('lives once in a folder', async () => {
    await start();
    await expect(startStack({ dir })).rejects.toThrow(/already running in .* \(process \d+\)/);
    await expect(removeStack(dir)).rejects.toThrow('is running');
  });

  it('starts again what dies, at the same address, and corrects local.json', async () => {
    const { baseUrl, processes } = await start({ supervise: true });
    const before = local().pids;
    await processes.ingress?.kill('SIGKILL');
    await processes.redis?.kill('SIGKILL');
    await until(() => ['ingress', 'redis'].every((name) => local().pids[name] !== before[name]));
    expect((await fetch(baseUrl)).status).toBe(200);
  });

  it('goes on with a process that it has started again while the disk is full', async () => {
    const { baseUrl, processes } = await start({ supervise: true });
    const first = processes.ingress?.pid;
    const draft = join(dir, 'local.json.new');
    symlinkSync('/dev/full', draft);
    await processes.ingress?.kill('SIGKILL');
    await until(() => processes.ingress?.pid !== first);
    const second = processes.ingress?.pid;
    await sleep(2000);
    expect([processes.ingress?.pid, processes.ingress?.isRunning()]).toEqual([second, true]);
    expect((await fetch(baseUrl)).status).toBe(200);
    expect(local().pids.ingress).toBe(first);
    await rm(draft);
    await until(() => local().pids.ingress === second);
  });

  it('keeps its folder to its owner, also one that stood open', async () => {
    await mkdir(join(dir, 'logs'), { recursive: true, mode: 0o755 });
    await writeFile(join(dir, 'logs', 'ingress.log'), 'of yesterday', { mode: 0o644 });
    await start({ mongo: whole.mongo });
    const files = await readdir(dir, { recursive: true, withFileTypes: true });
    const open = files.filter((file) => {
      const found = statSync(join(file.parentPath, file.name), { throwIfNoEntry: false });
      return ((found?.mode ?? 0) & 0o077) !== 0;
    });
    expect(files.map(({ name }) => name)).toContain('appendonlydir');
    expect(open.map(({ name }) => name)).toEqual([]);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['port', 'PORT'],
    ['monitorPort', 'MONITOR_PORT'],
    ['pagesPort', 'PAGES_PORT'],
  ])(
    'starts nothing while its %s is in use, and says which variable chooses another',
    async (option, variable) => {
      const other = createServer();
      const port = Number(new URL(await listening(other)).port);
      await expect(start({ [option]: port })).rejects.toThrow(
        `Port ${port} is in use by another program. Stop that program, or choose another port: ${variable}=${port + 1}.`,
      );
      expect(await readdir(join(dir, 'data'))).toEqual([]);
      other.close();
      await start({ [option]: port, services: ['ingress', 'monitor', 'pages'] });
    },
  );

  it('says what to do when its secret is gone and its data is there', async () => {
    const first = await start();
    await first.stop();
    await rm(join(dir, 'secret'));
    await expect(startStack({ dir, say: () => {} })).rejects.toThrow(
      /secret is missing.*put the file back, or set ROSTER_SECRET/,
    );
    await writeFile(join(dir, 'secret'), first.secret);
    expect((await start()).apiKey).toBe(first.apiKey);
  });

  it('leaves alone what was killed on purpose, until it is asked', async () => {
    const { processes } = await start();
    const { track } = processes;
    const ended = track?.exited;
    await track?.kill('SIGKILL');
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(track?.isRunning()).toBe(false);
    await track?.restart();
    expect(track?.isRunning()).toBe(true);
  });

  it('takes down what is up when a service does not start, and says what that one said', async () => {
    const failing = start({ processEnv: { track: { FAILS: '1' } } });
    await expect(failing).rejects.toThrow(/track ended with code 3[\s\S]*no luck today/);
    expect(await removeStack(dir)).toBe(true);
    expect(existsSync(dir)).toBe(false);
  });

  it.each([
    ['commands', 'preparing the database ...'],
    ['services', 'starting 2 services ...'],
  ])('is given up at once while its %s hang, and leaves no process', async (what, step) => {
    const hangs = inWork('hangs.mjs');
    await writeFile(hangs, 'setInterval(() => {}, 1000);');
    const giveUp = new AbortController();
    const hanging = start({
      signal: giveUp.signal,
      progress: (said: string) => void (said === step && setImmediate(() => giveUp.abort())),
      ...(what === 'commands' ? { cli: hangs } : { entry: { ingress: hangs, track: hangs } }),
    });
    await expect(hanging).rejects.toThrow('aborted');
    expect([await readdir(join(dir, 'pids')), existsSync(join(dir, 'stack.json'))]).toEqual([[], false]);
  });

  it('stops even when its folder was removed', async () => {
    const { processes, stop } = await start({ mongo: whole.mongo });
    // The servers go on writing there: what comes between two looks is removed with the next one.
    await rm(dir, { recursive: true, maxRetries: 100, retryDelay: 10 });
    await stop();
    expect(Object.values(processes).filter((process) => process.isRunning())).toEqual([]);
  });

  it('removes no folder that it has not made', async () => {
    await expect(removeStack(inWork())).rejects.toThrow('is not the folder of a stack');
    expect(await removeStack(inWork('nothing'))).toBe(false);
  });
});
