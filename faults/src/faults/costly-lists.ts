// One request that removes very many objects from very long arrays. It must be applied, and nobody else may wait for it.
import { callBeside } from '../harness/beside.ts';
import { type Call, isAccepted } from '../harness/client.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { cpuMs } from '../harness/process-costs.ts';

/** As long as a hundred kilobytes are. */
const objects = 8500;
const removals = 1800;
const arrays = 30;
/** Also on a machine that is busy with something else; one look at each object for each removal is several times as much. */
const mostCpuMs = 2500;
const name = (n: number): string => `list-${n}`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const attributesOf = (value: unknown) => Object.fromEntries(numbers(arrays).map((n) => [name(n), value]));

const waiting = { prefer: 'wait=30' };

const callWith = (value: unknown): Call => ({
  headers: waiting,
  timeoutMs: 60_000,
  body: { attributes: [{ external_id: 'ada', ...attributesOf(value) }] },
});

const storing = callWith(numbers(objects).map((n) => ({ n })));
const removing = callWith({
  $remove: numbers(removals).map((n) => ({ $identifier_key: 'n', $identifier_value: -n - 1 })),
});

const small = (n: number): Call => ({
  headers: waiting,
  body: { attributes: [{ external_id: `small-${n}`, colour: 'blue' }] },
});

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ instead });
  const other = await system.newWorkspace('other');
  await system.mongo
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: 'demo' }, { $set: { 'track.max_profile_bytes': 12 * 1024 * 1024 } });
  const broken: string[] = [];
  if (!isAccepted(await system.client.call(storing))) broken.push('the arrays were not stored');
  const { pid } = system.part('track');
  const before = cpuMs(pid);
  const removed = system.client.call(removing);
  const beside = await callBeside(other, small, removed);
  const spent = cpuMs(pid) - before;
  if (!isAccepted(await removed)) broken.push('the removals were not applied');
  if (beside.refused > 0) broken.push(`${beside.refused} requests of another workspace were refused`);
  if (spent > mostCpuMs) broken.push(`the worker spent ${spent} ms of CPU time on it`);
  return {
    figures: { 'CPU ms of the worker': spent, 'slowest update of another one, ms': beside.slowestMs },
    broken,
  };
};

export const costlyLists: Fault = {
  name: 'costly-lists',
  onlyByName: true,
  title: 'one request of thirty arrays of 8,500 objects, 1,800 removals each: applied, and nobody else waits',
  run: (trial) => attempt(trial, {}),
  control: {
    without: 'an index of the objects',
    breaks: /were not applied|spent .* of CPU time/,
    run: (trial) => attempt(trial, { track: 'track-searching' }),
  },
};
