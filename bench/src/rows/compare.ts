// The cost of `roster compare` beside its callers: each request goes to two services, and their answers are compared.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCalling } from '../baselines/open-bare.ts';
import type { Bench } from '../bench.ts';
import { command } from '../child.ts';
import { costOf } from '../cost.ts';
import { against, inTurns } from '../in-turns.ts';

/** Between a service and itself: the answers are the same. */
const openCompare = async (url: string) => {
  const args = [command, 'compare', '--from', url, '--url', url, '--port', '0', '--json'];
  const child = spawn(process.execPath, args, { env: { ...process.env, ROSTER_API_KEY: 'key' } });
  const [told] = await once(child.stderr, 'data');
  const [here] = String(told).match(/http:\S+/) ?? [];
  if (child.pid === undefined || !here) throw new Error(`roster compare did not start: ${told}`);
  return {
    url: here,
    pid: child.pid,
    /** Ends it; the answers that were the same. */
    async same(): Promise<number> {
      child.kill('SIGINT');
      const [report] = await once(child.stdout, 'data');
      return JSON.parse(String(report)).operations['users.track'].same;
    },
    stop: () => child.kill(),
  };
};

/** As many as may wait for Roster: none is left out. */
const most = 1_000;

export const compare: Bench = {
  name: 'compare',
  async measure({ runs, quick, atEnd }) {
    const { server, caller } = openCalling(atEnd);
    const { url } = await server.ask({});
    const proxy = await openCompare(url);
    atEnd(proxy.stop);
    const count = quick ? 100 : most;
    const callAndCopy = async (): Promise<number> => {
      const { answered } = await server.ask({});
      await caller.ask({ url: proxy.url, way: 'fetch', count });
      while ((await server.ask({})).answered < answered + 2 * count) await sleep(10);
      return count;
    };
    const pairs = await inTurns(runs, {
      ours: async () => (await costOf({ compare: proxy.pid }, callAndCopy)).us,
      bare: () => caller.ask({ url, way: 'fetch', count }),
    });
    const same = await proxy.same();
    if (same !== count * (runs + 1)) throw new Error(`${same} answers were the same`);
    const work = 'CPU a request through `roster compare`, in its process';
    const yardstick = 'a request by bare fetch';
    return [against({ work, yardstick, bar: { atMost: 5 }, unit: 'us', pairs })];
  },
};
