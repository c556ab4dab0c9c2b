// The whole system as a newcomer meets it: npm start, an event, its outcome, Ctrl-C, a second start, a crash, a third. With `--first` only
// until the first Ctrl-C.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, signalTo } from './processes.mjs';
import { writeTotals } from './totals.mjs';

const home = mkdtempSync(join(tmpdir(), 'roster-smoke-'));
const startMs = 240_000;
const totals = { passed: 0, failed: 0 };
/** The `npm start` that runs now. */
let current;

const expect = async (title, check) => {
  const problem = await Promise.resolve()
    .then(check)
    .catch((error) => error.stack ?? String(error));
  if (problem) totals.failed += 1;
  else totals.passed += 1;
  console.log(`${problem ? 'FAIL' : 'ok  '}  ${title}${problem ? `: ${problem}` : ''}`);
};

const differs = (found, wanted) =>
  found === wanted ? undefined : `${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`;

const until = async (ms, check) => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(100)) if (await check()) return true;
  return false;
};

const readLocal = () => JSON.parse(readFileSync(join(home, 'local.json'), 'utf8'));

const start = async () => {
  const env = { ...process.env, ROSTER_HOME: home, PORT: '0', MONITOR_PORT: '0' };
  // A group of its own, so that all of it can be told to go, as by a Ctrl-C.
  const child = spawn('npm', ['start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const run = { child, output: '', exited: once(child, 'exit') };
  current = run;
  child.stdout.on('data', (data) => {
    run.output += data;
  });
  const up = await until(startMs, () => existsSync(join(home, 'local.json')) || child.exitCode !== null);
  if (!up || child.exitCode !== null) throw new Error(`npm start did not come up:\n${run.output}`);
  // The last line of what it prints then.
  if (!(await until(60_000, () => run.output.includes('Ctrl-C stops everything'))))
    throw new Error(`npm start did not say that it is up:\n${run.output}`);
  return run;
};

const get = (url, headers = {}) => fetch(url, { headers });

const stateOf = async (id) => {
  const { baseUrl, apiKey } = readLocal();
  const response = await get(`${baseUrl}/requests/${id}`, { Authorization: `Bearer ${apiKey}` });
  return (await response.json()).state;
};

/** The names of all that runs for this stack, by the numbers that it tells. */
const alive = (pids) =>
  Object.keys(pids)
    .filter((name) => signalTo(pids[name]))
    .join();

/** The line that `npm start` prints for pasting, pasted. */
const pasteCurl = ({ output }) => {
  const line = output.split('\n').find((text) => text.trim().startsWith('curl -i'));
  const { stdout } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(stdout)?.[1]),
    id: /^x-request-id: (\S+)/im.exec(stdout)?.[1],
  };
};

const firstDay = async () => {
  const run = await start();
  const { baseUrl, monitorUrl, pids } = readLocal();
  for (const path of ['/health/live', '/health/ready', '/docs', '/openapi.json'])
    await expect(`GET ${path} answers 200`, async () => differs((await get(baseUrl + path)).status, 200));
  await expect('the board answers 200', async () => differs((await get(`${monitorUrl}/board`)).status, 200));
  await expect('the printed link opens the outbox, and nothing else does', async () => {
    const [, link = ''] = /^ *outbox +(\S+)/m.exec(run.output) ?? [];
    const [address] = link.split('?');
    const answers = await Promise.all([link, address].map((url) => fetch(url, { redirect: 'manual' })));
    return differs(answers.map((answer) => answer.status).join(' '), '303 403');
  });
  await expect('no key is 401', async () => differs((await get(`${baseUrl}/requests/none`)).status, 401));
  const { status, id } = pasteCurl(run);
  await expect('the printed curl line is answered with 201', () => differs(status, 201));
  await expect('its outcome is "applied"', async () =>
    (await until(60_000, async () => (await stateOf(id)) === 'applied'))
      ? undefined
      : `it is ${await stateOf(id)}`,
  );
  process.kill(-run.child.pid, 'SIGINT');
  await run.exited;
  await expect('Ctrl-C takes everything down', () => differs(alive(pids), ''));
  await expect('local.json is gone then', () => differs(existsSync(join(home, 'local.json')), false));
  return id;
};

const secondDay = async (id) => {
  const run = await start();
  await expect('a second start finds the data of the first', async () =>
    differs(await stateOf(id), 'applied'),
  );
  const { pids } = readLocal();
  const tree = [-run.child.pid, ...Object.values(pids)];
  for (const pid of tree) signalTo(pid, 'SIGKILL');
  await run.exited;
  rmSync(join(home, 'local.json'), { force: true });
};

const thirdDay = async (id) => {
  const run = await start();
  await expect('a start after kill -9 of everything does so too', async () =>
    differs(await stateOf(id), 'applied'),
  );
  const { pids } = readLocal();
  signalTo(run.child.pid, 'SIGTERM');
  await run.exited;
  await expect('SIGTERM takes everything down', async () => {
    await until(60_000, () => alive(pids) === '');
    return differs(alive(pids), '');
  });
};

/** Whatever happened, nothing of ours is left running. */
const leave = async () => {
  if (current && current.child.exitCode === null && current.child.signalCode === null) {
    signalTo(-current.child.pid, 'SIGTERM');
    await Promise.race([current.exited, sleep(20_000, undefined, { ref: false })]);
  }
  rmSync(home, { recursive: true, force: true });
};

process.once('SIGTERM', async () => {
  console.log('FAIL  the smoke test took too long');
  writeTotals({ ...totals, failed: totals.failed + 1 });
  await leave();
  process.exit(1);
});

try {
  const id = await firstDay();
  if (!process.argv.includes('--first')) {
    await secondDay(id);
    await thirdDay(id);
  }
} catch (error) {
  await expect('the smoke test runs to its end', () => String(error.stack));
}
await leave();
writeTotals(totals);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
