// The ingress, with a line to Redis that breaks every few kilobytes.
import { randomInt } from 'node:crypto';
import { openProxy } from '../harness/proxy.ts';

const real = new URL(process.env.REDIS_URL ?? '');
const proxy = await openProxy({ host: real.hostname, port: Number(real.port) }, () =>
  randomInt(1_000, 60_000),
);
real.port = String(proxy.port);
process.env.REDIS_URL = real.href;

const { startIngress } = await import('@roster/ingress-service');
const { run } = await import('@roster/runtime');
await run('ingress', startIngress);
