// Tries an unpacked image: all its services against a real Redis and MongoDB, and a request through them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyFreePort, startMongo, startRedis } from '@roster/local-stack';
import { root } from '../processes.mjs';
import { run, start } from './container.mjs';

const readyMs = 60_000;
const services = readdirSync(join(root, 'services'));

const until = async (ms, check) => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(100)) if (await check()) return true;
  return false;
};

const servers = async (dir) => {
  const redis = await startRedis({ dir: join(dir, 'redis') });
  const mongo = await startMongo({ dir: join(dir, 'mongo') });
  return { redis, mongo };
};

/** Fails with what the program said. */
const must = async (image, command, input) => {
  const { code, out, output } = await run(image, command, input);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with code ${code}:\n${output}`);
  return out;
};

const roster = (image, args, input) => must(image, ['node', 'bundle/roster.js', ...args], input);

const makeKey = async (image) => {
  await roster(image, ['indexes', '--apply']);
  await roster(image, ['workspace', 'apply', '-'], 'id: shop\n');
  const key = ['--workspace', 'shop', '--name', 'trial', '--permission', '*'];
  const made = await roster(image, ['keys', 'create', ...key, '--json']);
  return JSON.parse(made).key;
};

/** What the promises of the image are about, seen from inside. Each is a program that ends with 0 when it holds. */
const insights = {
  'the user is not root': 'process.exit(process.getuid() === 10001 && process.getgid() === 10001 ? 0 : 1)',
  'no file can be written': `
    const { readdirSync, writeFileSync } = require('node:fs');
    const folders = ['/', '/app', '/app/bundle', '/usr/bin', '/etc', '/tmp'];
    const codes = folders.map((folder) => { try { writeFileSync(folder + '/x', ''); return 'written'; } catch ({ code }) { return code; } });
    process.exit(codes.every((code) => code === 'EROFS' || code === 'EACCES') ? 0 : 1)`,
  'there is no shell':
    "process.exit(require('node:child_process').spawnSync('sh', ['-c', 'true']).error?.code === 'ENOENT' ? 0 : 1)",
  'no privilege can be had':
    "process.exit(/^CapEff:\\s0+$/m.test(require('node:fs').readFileSync('/proc/self/status', 'utf8')) && /^NoNewPrivs:\\s1$/m.test(require('node:fs').readFileSync('/proc/self/status', 'utf8')) ? 0 : 1)",
};

const look = async (image) => {
  const problems = [];
  for (const [sentence, program] of Object.entries(insights)) {
    const { code } = await run(image, ['node', '--eval', program]);
    if (code !== 0) problems.push(`it does not hold that ${sentence}`);
  }
  return problems;
};

const health = (image, port) => {
  const [, ...command] = image.config.Healthcheck.Test;
  return run({ ...image, env: { ...image.env, ADMIN_PORT: String(port) } }, command);
};

const startService = async (image, service) => {
  const [port, pages, monitor, admin] = await Promise.all(Array.from({ length: 4 }, anyFreePort));
  const ports = { PORT: port, PAGES_PORT: pages, MONITOR_PORT: monitor, ADMIN_PORT: admin };
  const env = Object.fromEntries(Object.entries(ports).map(([name, value]) => [name, String(value)]));
  const process = start({ ...image, env: { ...image.env, ...env } }, ['node', `bundle/${service}.js`]);
  return { service, port, admin, process };
};

const untilReady = ({ admin, process }) =>
  until(readyMs, async () => {
    if (!process.isRunning()) return true;
    const answer = await fetch(`http://127.0.0.1:${admin}/health/ready`).catch(() => undefined);
    return answer?.ok === true;
  });

const track = async (port, key) => {
  const answer = await fetch(`http://127.0.0.1:${port}/users/track`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=20' },
    body: JSON.stringify({ attributes: [{ external_id: 'ada', plan: 'free' }] }),
  });
  return { status: answer.status, body: await answer.text() };
};

/** The pages that lie beside the bundles. */
const page = async (url) => (await fetch(url)).status;

const askAll = async (image, key) => {
  const all = await Promise.all(services.map((service) => startService(image, service)));
  const portOf = (name) => all.find(({ service }) => service === name)?.port;
  const problems = [];
  try {
    for (const one of all) {
      const isReady = (await untilReady(one)) && one.process.isRunning();
      if (!isReady) problems.push(`${one.service} is not ready:\n${one.process.said.text.slice(-2000)}`);
      else if ((await health(image, one.admin)).code !== 0)
        problems.push(`the health check of ${one.service} fails`);
    }
    const { status, body } = await track(portOf('ingress'), key);
    if (status !== 201 || !body.includes('created'))
      problems.push(`a request was answered ${status}: ${body}`);
    const docs = await page(`http://127.0.0.1:${portOf('ingress')}/docs/`);
    if (docs !== 200) problems.push(`/docs/ was answered ${docs}`);
    for (const { service, process } of all) {
      const code = await Promise.race([process.stop(), sleep(30_000, 'late')]);
      if (code !== 0) problems.push(`${service} ended with ${code} after SIGTERM`);
    }
  } finally {
    for (const { process } of all) process.kill();
  }
  return problems;
};

/** Returns what does not hold. */
export const tryImage = async (folder, config) => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-image-'));
  const { redis, mongo } = await servers(dir);
  try {
    const env = {
      HOST: '127.0.0.1',
      REDIS_URL: redis.url,
      MONGO_URL: mongo.url,
      ROSTER_SECRET: 'a secret of this trial, and of no other',
    };
    const image = { folder, config, env };
    const key = await makeKey(image);
    return [...(await look(image)), ...(await askAll(image, key))];
  } finally {
    await Promise.all([redis.stop(), mongo.stop()]);
    rmSync(dir, { recursive: true, force: true });
  }
};
