// The SCIM endpoints of a real stack against scim2-tester, a conformance checker from PyPI, in a virtual environment outside the checkout.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepare, product } from './prepare.mjs';
import { root } from './processes.mjs';
import { pythonTool } from './python-tool.mjs';
import { writeTotals } from './totals.mjs';

const checker = 'scim2-tester[httpx2]==0.5.2';
const client = 'scim2-client==0.13.2';
const models = 'scim2-models==0.12.3';
const origin = 'https://checks.example.com';

// One of each: the checker draws names by chance, and compares what it sent with what comes back, so that a team of another workspace
// would be refused and what the service adds (the workspace of a role, the permissions of a set) would be a difference.
const company = {
  id: 'checks',
  name: 'Checks',
  workspaces: [{ name: 'Shop', teams: [{ name: 'Europe' }] }],
  roles: [{ name: 'Analyst' }],
  permission_sets: [{ name: 'Marketer' }],
};

const say = (line) => console.log(line);

const run = (command, args, timeout, env = process.env) =>
  spawnSync(command, args, { cwd: root, encoding: 'utf8', timeout, env });

const end = (totals, ...lines) => {
  for (const line of lines) say(line);
  writeTotals(totals);
  process.exitCode = totals.failed > 0 ? 1 : 0;
};

const until = async (ms, check) => {
  for (const last = Date.now() + ms; Date.now() < last; await sleep(100)) if (check()) return true;
  return false;
};

const startStack = async (home) => {
  const env = { ...process.env, ROSTER_HOME: home, PORT: '0', MONITOR_PORT: '0' };
  const child = spawn(process.execPath, ['packages/local-stack/dist/start.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const local = join(home, 'local.json');
  const isUp = await until(120_000, () => existsSync(local) || child.exitCode !== null);
  const stop = async () => {
    child.kill('SIGTERM');
    await until(30_000, () => child.exitCode !== null || child.signalCode !== null);
  };
  if (!isUp || child.exitCode !== null) {
    await stop();
    throw new Error('the stack did not come up');
  }
  return { baseUrl: JSON.parse(readFileSync(local, 'utf8')).baseUrl, stop };
};

const roster = (home, ...args) => {
  const env = { ...process.env, ROSTER_HOME: home };
  const { status, stdout, stderr } = run(process.execPath, ['bundle/roster.js', ...args], 60_000, env);
  if (status !== 0) throw new Error(`roster ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
};

/** Asynchronous: the stack must be able to write what it has to say meanwhile. */
const check = async (python, baseUrl, token) => {
  const child = spawn(
    python,
    ['scripts/scim-conformance.py', `${baseUrl}/scim/v2`, token, origin, ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const isDone = await until(120_000, () => child.exitCode !== null || child.signalCode !== null);
  if (!isDone) child.kill('SIGKILL');
  const lines = output.trim().split('\n');
  const last = lines.pop() ?? '';
  for (const line of lines) if (line) say(line);
  if (!last.startsWith('{')) throw new Error(`the checker came to no end: ${last}`);
  return JSON.parse(last);
};

const conform = async (home) => {
  const python = await pythonTool('python', [checker, client, models]);
  await prepare(product);
  const { baseUrl, stop } = await startStack(home);
  try {
    const file = join(home, 'checks.json');
    writeFileSync(file, JSON.stringify(company));
    roster(home, 'company', 'apply', file);
    const token = roster(home, 'scim', 'token', 'create', '--company', company.id, '--origin', origin);
    return await check(python, baseUrl, token);
  } finally {
    await stop();
  }
};

const home = mkdtempSync(join(tmpdir(), 'roster-scim-'));
const totals = await conform(home).catch((error) => ({ passed: 0, failed: 1, reason: error.message }));
rmSync(home, { recursive: true, force: true });
const { passed, failed, skipped = 0, reason } = totals;
if (reason) say(`FAIL  ${reason}`);
// A check that was skipped was not passed.
end({ passed, failed: failed + skipped }, `${passed} passed, ${failed + skipped} failed`);
