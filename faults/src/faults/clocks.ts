// T23: clocks an hour off, in both directions and all at once. What counts is the order in which requests were accepted, which no
// machine's clock decides; what is kept for days is kept for days.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBook, type Sendable } from '../harness/book.ts';
import { type Caller, createCaller } from '../harness/caller.ts';
import { lookAtColours, setColours } from '../harness/colours.ts';
import { unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { keyOf, readPeople, tokensOf } from '../harness/people.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { ext, happening } from '../harness/sayings.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Of the workers, all the time. The export's may be behind only: one that is ahead takes every read for an old one, and answers 503. */
const workers = { track: hour, 'track-2': -hour, identity: hour, subscription: -hour, export: -hour };

/** Of the ingress, one round each. */
const ingressRounds = [0, hour, -hour, 0];

/** Outcomes are kept for seven days at least; half an hour is more than a trial takes and less than a clock is off. */
const leastLeft = 7 * day - hour - hour / 2;

const sets = 10;

const createClocks = (trial: Trial) => {
  const dir = trial.folder();
  const fileOf = (name: string): string => join(dir, name);
  const set = (name: string, off: number): void => writeFileSync(fileOf(name), String(off));
  return { set, envOf: (name: string) => ({ CLOCK_FILE: fileOf(name) }) };
};

/** A person is deleted and comes back: the new person is there, without any data of the old one. */
const comeBack = async (caller: Caller, round: number): Promise<void> => {
  const who = ext(`phoenix-${round}`);
  await caller.post('/users/track', happening(who, `old-${round}`));
  await caller.post('/users/delete', { external_ids: [who.external_id] });
  await caller.post('/users/track', happening(who, `new-${round}`));
};

const notBack = async ({ mongo }: System, rounds: number): Promise<string[]> => {
  const people = await readPeople(mongo);
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) => {
    const tokens = tokensOf([people.find(keyOf.ext(`phoenix-${round}`))]);
    return tokens.join() === `new-${round}` ? [] : [`round ${round}: who came back has ${tokens.join()}`];
  });
};

/** By the clock of MongoDB's machine, which removes what has expired. */
const tooSoon = async ({ mongo }: System): Promise<string[]> => {
  const soon = { expires: { $lt: new Date(Date.now() + leastLeft) } };
  const count = await mongo.collection('requests').countDocuments(soon);
  return count === 0 ? [] : [`${count} outcomes expire too soon`];
};

/** The outcome of an accepted request, as its caller is told. */
const untold = async ({ client }: System, ids: readonly string[]): Promise<string[]> => {
  const asked = await Promise.all(
    ids.map((id) => client.call({ method: 'GET', path: `/requests/${id}`, timeoutMs: 20_000 })),
  );
  const wrong = asked.filter(({ body }) => !body.includes('"applied"'));
  return wrong.length === 0
    ? []
    : [
        `${wrong.length} of ${ids.length} outcomes are not told, the first: ${wrong[0]?.status} ${wrong[0]?.body}`,
      ];
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const clocks = createClocks(trial);
  for (const [name, off] of Object.entries(workers)) clocks.set(name, off);
  const names = [...Object.keys(workers), 'ingress'];
  const system = await trial.system({
    services: ['ingress', 'track', 'identity', 'subscription', 'export'],
    trackWorkers: 2,
    preload: 'clock',
    processEnv: Object.fromEntries(names.map((name) => [name, clocks.envOf(name)])),
    instead: { track: 'track-impatient', identity: 'identity-impatient', ...instead },
  });
  const book = openBook<Sendable>();
  const caller = createCaller(system.client, 'clocks');
  const broken: string[] = [];
  const rounds = trial.quick ? ingressRounds : [1, 2, 3].flatMap(() => ingressRounds);
  for (const [round, off] of rounds.entries()) {
    clocks.set('ingress', off);
    await sleep(200);
    await Promise.all([setColours(system, book, round, sets), comeBack(caller, round)]);
    broken.push(...(await unfinished(system, 30_000)));
    broken.push(...(await lookAtColours(system, round, sets)).broken);
  }
  const ids = [...book.accepted.values(), ...caller.accepted];
  broken.push(...(await notBack(system, rounds.length)), ...(await tooSoon(system)));
  broken.push(
    ...(await untold(system, ids.slice(-20))),
    ...imbalance(await reconcile({ accepted: ids, ...system })),
  );
  return { figures: { accepted: ids.length, rounds: rounds.length }, broken };
};

export const clocks = faultOf(
  attempt,
  {},
  { ingress: 'ingress-own-clock' },
  {
    name: 'clocks',
    title:
      'clocks an hour ahead and an hour behind: the last accepted value stands, nothing expires too soon',
    without: 'one clock for all: the ingress stamps by its own',
    breaks: /find an older value/,
  },
);
