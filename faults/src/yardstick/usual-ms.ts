// Machines differ fivefold in speed, and a bar in milliseconds should not. So times are told as the usual machine would take them: one on
// which a plain Express answer costs 75 us of CPU. What one costs here is measured when the run begins.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { cpuMsOf } from '../costly/processes.ts';

const usualUs = 75;
const [connections, answers, rounds] = [16, 3_000, 3];

/** How many times slower this machine is. */
let pace = 1;

export const inUsualMs = (ms: number): number => ms / pace;

/** As many of the usual machine do the work of all processors here. */
export const usualProcessors = (): number => availableParallelism() / pace;

export const inUsualMsEach = (all: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(all).map(([name, ms]) => [name, inUsualMs(ms)]));

const body = JSON.stringify({ events: [{ external_id: 'ada', name: 'page_viewed', time: '2026-01-31' }] });

const createPost = (port: number, agent: Agent) => (): Promise<void> =>
  new Promise((done, failed) => {
    const headers = { 'content-type': 'application/json' };
    const sending = request({ host: '127.0.0.1', port, method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', done);
    });
    sending.once('error', failed);
    sending.end(body);
  });

const postAll = async (post: () => Promise<void>): Promise<void> => {
  let left = answers;
  const sender = async (): Promise<void> => {
    while (left-- > 0) await post();
  };
  await Promise.all(Array.from({ length: connections }, sender));
};

/** Measures it, and returns the microseconds of a plain answer. The cheapest round counts: noise only adds. */
export const measurePace = async (): Promise<number> => {
  const child = fork(fileURLToPath(new URL('./plain-express.js', import.meta.url)));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const [port] = (await once(child, 'message')) as [number];
    const post = createPost(port, agent);
    await postAll(post);
    const costs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = cpuMsOf(child.pid ?? 0);
      await postAll(post);
      costs.push(((cpuMsOf(child.pid ?? 0) - before) / answers) * 1_000);
    }
    const us = Math.min(...costs);
    // Where the kernel does not tell the CPU time of threads, it is taken for the usual one.
    if (us > 0) pace = us / usualUs;
    return us;
  } finally {
    agent.destroy();
    child.kill();
  }
};
