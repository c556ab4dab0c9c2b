// One request that removes very many objects from very long arrays. It must cost as much as any other, and no other request may wait for it.
import { callBeside, isApplied, latecomers } from '../harness/beside.ts';
import type { Call } from '../harness/client.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { figuresOf, leastSpent, once, overBars, type Times } from '../harness/spent.ts';
import { attributeOfAll } from '../harness/stored.ts';
import type { System } from '../harness/system.ts';

/** As long as a hundred kilobytes are. */
const objects = 8500;
const removals = 1800;
const arrays = 30;
/** Each request so often, to tell its costs from noise. */
const often = { quick: { least: 3, most: 14 }, full: { least: 3, most: 9 } };
const name = (n: number): string => `list-${n}`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** All arrays at once are more than a body may hold. */
const half = arrays / 2;
const halves = [numbers(half), numbers(half).map((n) => half + n)] as const;

const callWith = (places: readonly number[], value: unknown): Call => ({
  timeoutMs: 60_000,
  body: {
    attributes: [{ external_id: 'ada', ...Object.fromEntries(places.map((n) => [name(n), value])) }],
  },
});

const whole = numbers(objects).map((n) => ({ n }));
const removing = callWith(numbers(arrays), {
  $remove: numbers(removals).map((n) => ({ $identifier_key: 'n', $identifier_value: -n - 1 })),
});

const small = (n: number): Call => ({
  body: { attributes: [{ external_id: `small-${n}`, colour: 'blue' }] },
});

const services = ['ingress', 'track'];

const objectsOf = async ({ mongo }: System): Promise<number> => {
  const lists = await Promise.all(numbers(arrays).map((n) => attributeOfAll(mongo, name(n))));
  return lists.reduce((total, list) => total + Object.keys(list.get('ada') ?? []).length, 0);
};

/** Seconds. A request is applied within one; without the index it takes half a minute, and the test need not wait for all of it. */
const patience = { attempt: 30, control: 8 };

const attempt = async (trial: Trial, instead: Record<string, string>, times: Times): Promise<Findings> => {
  const isControl = Object.keys(instead).length > 0;
  const headers = { prefer: `wait=${isControl ? patience.control : patience.attempt}` };
  const system = await trial.system({ services, instead });
  const other = await system.newWorkspace('other');
  await system.mongo
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: 'demo' }, { $set: { 'track.max_profile_bytes': 12 * 1024 * 1024 } });
  const broken: string[] = [];
  const send = async (call: Call): Promise<void> => {
    const answer = await system.client.call({ ...call, headers });
    if (!isApplied(answer))
      broken.push(`a request was not applied: ${answer.status} ${answer.body.slice(0, 100)}`);
  };
  await send(callWith(halves[0], whole));
  const stored = await leastSpent(system, services, times, () => send(callWith(halves[1], whole)));
  const removed = await leastSpent(system, services, times, () => send(removing));
  broken.push(...overBars('storing', stored), ...overBars('removing', removed));
  const figures = { ...figuresOf('storing', stored), ...figuresOf('removing', removed) };
  // Without the index one removal shows it, and the next one would go on for minutes.
  if (isControl) return { figures, broken };
  const beside = await callBeside(other, small, send(removing));
  broken.push(...latecomers('an update', beside));
  const kept = await objectsOf(system);
  if (kept !== arrays * objects) broken.push(`${kept} of ${arrays * objects} objects are stored`);
  return {
    figures: { ...figures, 'slowest update of another one, ms': beside.slowestMs },
    broken,
  };
};

export const costlyLists: Fault = {
  name: 'costly-lists',
  alone: true,
  timing: / of another workspace waited |^(storing|removing) blocked /,
  title: 'one request of thirty arrays of 8,500 objects, 1,800 removals each: applied, and nobody else waits',
  run: (trial) => attempt(trial, {}, trial.quick ? often.quick : often.full),
  control: {
    without: 'an index of the objects',
    breaks: /^removing (took \d+ ms of CPU|blocked) |was not applied/,
    run: (trial) => attempt(trial, { track: 'track-searching' }, once),
  },
};
