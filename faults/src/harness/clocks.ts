// Clocks an hour off, in both directions and all at once. What counts is the order in which requests were accepted, which no machine's clock
// decides; what is kept for days is kept for days.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from './fault.ts';
import type { System } from './system.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** All the time. The export's may be behind only: one that is ahead takes every read for an old one, and answers 503. */
const workers = { track: hour, 'track-2': -hour, identity: hour, subscription: -hour, export: -hour };

/** Of the ingress, again and again. */
const ingressTurns = [0, hour, -hour];
const turnMs = 250;

/** Outcomes are kept for seven days at least; half an hour is more than a trial takes and less than a clock is off. */
const leastLeft = 7 * day - hour - hour / 2;

export const withClocksOff = (trial: Trial) => {
  const dir = trial.folder();
  const set = (name: string, off: number): void => writeFileSync(join(dir, name), String(off));
  const names = [...Object.keys(workers), 'ingress'];
  for (const [name, off] of Object.entries(workers)) set(name, off);
  return {
    preload: 'clock' as const,
    processEnv: Object.fromEntries(names.map((name) => [name, { CLOCK_FILE: join(dir, name) }])),
    spoil: () => {
      let turn = 0;
      const timer = setInterval(
        () => set('ingress', ingressTurns[turn++ % ingressTurns.length] ?? 0),
        turnMs,
      );
      return async () => clearInterval(timer);
    },
  };
};

/** By the clock of MongoDB's machine, which removes what has expired. And outcomes of accepted requests, as their callers are told. */
export const outcomesOff = async ({ client, mongo }: System): Promise<string[]> => {
  const requests = mongo.collection<{ _id: string; expires: Date }>('requests');
  const soon = await requests.countDocuments({ expires: { $lt: new Date(Date.now() + leastLeft) } });
  const some = await requests.find().limit(20).toArray();
  const told = await Promise.all(
    some.map(({ _id }) => client.call({ method: 'GET', path: `/requests/${_id}`, timeoutMs: 20_000 })),
  );
  const untold = told.filter(({ body }) => !body.includes('"applied"'));
  return [
    ...(soon === 0 ? [] : [`${soon} outcomes expire too soon`]),
    ...untold.map(({ status, body }) => `an outcome is not told: ${status} ${body}`).slice(0, 1),
  ];
};
