// A caller who is refused before its body was read gets to read why, whatever it is written in.
import { setLimits } from '@roster/testkit';
import { redisFigure } from '../costly/observe.ts';
import { cpuMsOf, peakMbOf } from '../costly/processes.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { type Read, usualClients } from '../harness/usual-clients.ts';
import { eachOf, until } from '../harness/wait.ts';

const bytes = 10_000_000;
const mostMegabytes = 400;
/** As large as a body may be. It is read as a whole, and refused because it says nothing. */
const readBytes = 5_900_000;

interface Refusal {
  status: string;
  key: string;
  type?: string;
  /** Makes the ingress refuse so. */
  before?(): Promise<unknown>;
}

/** One request an hour, and that is gone. */
const exhaust = async ({ redis, mongo, client, workspace }: System): Promise<void> => {
  await setLimits(redis, mongo, workspace, { 'users.track': { requests: 1, seconds: 3600 } });
  const isOver = async () => (await client.call({ body: {} })).status === 429;
  if ((await until(10_000, isOver)) === undefined) throw new Error('the limit is not used up');
};

/** Fuller than new requests are taken at, and not so full that Redis refuses as well. */
const fill = async ({ redis, client }: System): Promise<void> => {
  const used = await redisFigure(redis, 'memory', /^used_memory:(\d+)/m);
  await redis.config('SET', 'maxmemory', String(Math.ceil(used / 0.75)));
  const isFull = async () => (await client.call({ body: {} })).status === 503;
  if ((await until(10_000, isFull)) === undefined)
    throw new Error('the ingress takes no notice of a full Redis');
};

const refusalsOf = async (system: System): Promise<Refusal[]> => {
  const { apiKey } = system.client;
  const other = await system.newWorkspace('reader', {}, 'users.export.ids');
  return [
    { status: '413', key: apiKey },
    { status: '401', key: 'rk_unknown' },
    { status: '403', key: other.apiKey },
    { status: '415', key: apiKey, type: 'text/plain' },
    { status: '503', key: apiKey, before: () => fill(system) },
    {
      status: '429',
      key: apiKey,
      before: () => system.redis.config('SET', 'maxmemory', '0').then(() => exhaust(system)),
    },
  ];
};

const problemsOf = (refusal: Refusal, reads: Read[]): string[] => {
  const lost = reads.filter(({ status, body }) => status !== refusal.status || !body.includes('"message"'));
  const times = new Map<string, number>();
  for (const { client, status } of lost) {
    const what = `${client} saw ${status || 'nothing'}`;
    times.set(what, (times.get(what) ?? 0) + 1);
  }
  return [...times].map(([what, count]) => `${count} times ${what} instead of the ${refusal.status}`);
};

const tryAll = async (posting: { url: string; times: number; bytes: number }, refusals: Refusal[]) => {
  const broken: string[] = [];
  let answers = 0;
  for (const refusal of refusals) {
    await refusal.before?.();
    const headers = {
      authorization: `Bearer ${refusal.key}`,
      'content-type': refusal.type ?? 'application/json',
    };
    await eachOf(Object.values(usualClients), 3, async (post) => {
      const reads = await post({ ...posting, headers });
      answers += reads.length;
      broken.push(...problemsOf(refusal, reads));
    });
  }
  return { answers, broken };
};

/** With the CPU milliseconds of the ingress for each megabyte that was sent. */
const costOf = async (pid: number, size: number, work: () => ReturnType<typeof tryAll>) => {
  const before = cpuMsOf(pid);
  const tried = await work();
  const msPerMegabyte = (cpuMsOf(pid) - before) / (tried.answers * (size / 1_000_000));
  return { ...tried, msPerMegabyte };
};

const attempt = async (
  trial: Trial,
  options: { ingress?: string; only?: number; times: number },
): Promise<Findings> => {
  const instead = options.ingress && { instead: { ingress: options.ingress } };
  const system = await trial.system({ services: ['ingress'], ...instead });
  const refusals = (await refusalsOf(system)).slice(0, options.only);
  const { pid } = system.part('ingress');
  const posting = { url: `${system.baseUrl}/users/track`, times: options.times, bytes };
  const readAsAWhole: Refusal = { status: '400', key: system.client.apiKey };
  const readWhole = () => tryAll({ ...posting, bytes: readBytes }, [readAsAWhole]);
  // The first ones pay for the compiler.
  await tryAll({ ...posting, times: 2, bytes: readBytes }, [readAsAWhole]);
  const reading = await costOf(pid, readBytes, readWhole);
  const refusing = await costOf(pid, bytes, () => tryAll(posting, refusals));
  const broken = [...reading.broken, ...refusing.broken];
  const megabytes = peakMbOf(pid);
  const [refusingMs, readingMs] = [refusing.msPerMegabyte, reading.msPerMegabyte];
  if (refusingMs > readingMs)
    broken.push(
      `a refusal took ${refusingMs.toFixed(1)} ms of CPU a megabyte, reading it ${readingMs.toFixed(1)}`,
    );
  if (megabytes > mostMegabytes) broken.push(`the ingress grew to ${megabytes.toFixed(0)} MB`);
  const figures = {
    answers: refusing.answers,
    'CPU ms a megabyte': refusingMs,
    'when it is read': readingMs,
    'peak MB': megabytes,
  };
  return { figures, broken };
};

export const refusalsRead: Fault = {
  name: 'refusals-read',
  title: '10 MB are refused before they are read: clients in Node, Python and C (curl) read why',
  run: (trial) => attempt(trial, { times: trial.quick ? 4 : 100 }),
  control: {
    without: 'the connection closed at once after the answer',
    breaks: /instead of the \d+/,
    run: (trial) => attempt(trial, { ingress: 'ingress-cutting', only: 2, times: trial.quick ? 5 : 20 }),
  },
};
