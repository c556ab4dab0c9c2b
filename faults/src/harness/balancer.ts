// HAProxy before several ingress processes, as a stranger would set it up: it asks each of them whether it is ready.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort, ensureHaproxy, launch } from '@roster/local-stack';
import { until } from './wait.ts';

export const everyMs = 1_000;

/** Nothing is tried again: what is refused is refused to the caller. */
const settings = (port: number, backends: readonly number[]): string => `
defaults
  mode http
  retries 0
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend callers
  bind 127.0.0.1:${port}
  default_backend ingress
backend ingress
  balance roundrobin
  option httpchk GET /health/ready
  default-server check inter ${everyMs}ms fall 1 rise 1
${backends.map((backend, n) => `  server ingress-${n} 127.0.0.1:${backend}`).join('\n')}
`;

export const openBalancer = async (backends: readonly number[]) => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-balancer-'));
  const port = await anyFreePort();
  writeFileSync(join(dir, 'settings'), settings(port, backends));
  const launched = await launch({
    command: await ensureHaproxy(),
    args: ['-db', '-f', join(dir, 'settings')],
    logFile: join(dir, 'log'),
    pidFile: join(dir, 'pid.json'),
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = async (): Promise<boolean> =>
    (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok ?? false;
  const close = async (): Promise<void> => {
    await launched.stop(2_000);
    rmSync(dir, { recursive: true, force: true });
  };
  if ((await until(10_000, answers, 100)) === undefined) {
    await close();
    throw new Error('the balancer leads to no ingress');
  }
  return { url, close };
};
