// T32: thousands of operations of every kind over fifty people, from eight clients, while workers are killed. Afterwards the
// invariants of the design hold, read from the bare documents.
import type { Body } from '@roster/client';
import { type Caller, createCaller } from '../harness/caller.ts';
import { keepKilling } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { readForwarding } from '../harness/forwarding.ts';
import { few, identityViolations } from '../harness/identity-invariants.ts';
import { readLedger } from '../harness/ledger.ts';
import { createPace } from '../harness/pace.ts';
import { inParts } from '../harness/parts.ts';
import { type People, readPeople } from '../harness/people.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { eachOf, until } from '../harness/wait.ts';
import {
  creationsOff,
  type Exported,
  exportsOff,
  happeningsOff,
  resurrected,
  stampsOff,
} from './soak/invariants.ts';
import { type Done, makeOperation, type Operation, type Sizes } from './soak/operations.ts';

const clients = 8;
const env = { RESULT_TIMEOUT_SECONDS: '1' };

const send = async (caller: Caller, { group, path, body, happening }: Operation): Promise<Done> => {
  const { id } = await caller.post(path, body);
  return { group, id, ...(happening && { happening }) };
};

interface Size {
  operations: number;
  perSecond: number;
  people: Sizes;
}

const full: Size = { operations: 10_000, perSecond: 150, people: { k: 40, g: 10 } };
/** Few operations are about few people, so that they meet as often. */
const quick: Size = { operations: 600, perSecond: 120, people: { k: 8, g: 4 } };

const allSent = async (caller: Caller, seed: number, size: Size): Promise<Done[]> => {
  const dice = createDice(seed);
  const pace = createPace(size.perSecond);
  const done: Done[] = [];
  const operations = Array.from({ length: size.operations }, (_, n) => makeOperation(dice, n, size.people));
  await eachOf(operations, clients, async (operation) => {
    await pace();
    done.push(await send(caller, operation));
  });
  return done;
};

const workersOf = (system: System): string[] => [
  ...system.processesOf('track'),
  ...system.processesOf('identity'),
];

/** The queues are empty, and no person is left to erase: the missing parts, in words, and the time it took. */
const rest = async (system: System): Promise<{ seconds: number; broken: string[] }> => {
  const began = performance.now();
  const isQuiet = await system.quiet(60_000);
  const isSwept = async () => (await system.mongo.collection('sweeps').countDocuments()) === 0;
  const swept = isQuiet && (await until(60_000, isSwept, 250)) !== undefined;
  const broken = [
    ...(isQuiet ? [] : ['not everything was applied within a minute']),
    ...(isQuiet && !swept ? ['not everybody was erased within a minute'] : []),
  ];
  return { seconds: (performance.now() - began) / 1_000, broken };
};

const fields_to_export: Body<'users.export.ids'>['fields_to_export'] = [
  'service_id',
  'custom_events',
  'purchases',
  'total_revenue',
];

/** What the interface says can only be told when everything has been applied: until then it says that it is not fresh, or 503. */
const toldWrongly = async ({ client: { roster } }: System, people: People): Promise<string[]> => {
  const ids = people.all.flatMap(({ externalId }) => externalId ?? []);
  const exported = new Map<string, Exported>();
  for (const external_ids of inParts(ids, 50)) {
    const { users } = await roster.users.export.ids({ external_ids, fields_to_export });
    for (const user of users) exported.set(user.service_id ?? '', user);
  }
  return exportsOff(people, exported);
};

const violations = async (system: System, people: People, done: readonly Done[]): Promise<string[]> => {
  const ledger = await readLedger(system.mongo);
  const forwarding = await readForwarding(system);
  return [
    ...identityViolations(people, forwarding),
    ...happeningsOff(people, done, ledger),
    ...creationsOff(people, done, ledger),
    ...resurrected(people, done, ledger, forwarding),
    ...stampsOff(people),
    ...few(people.homeless.map(({ token }) => `${token} belongs to nobody and was not erased`)),
  ];
};

const attempt = async (trial: Trial, identity: string): Promise<Findings> => {
  const system = await trial.system({
    services: ['ingress', 'track', 'identity', 'export'],
    workers: { track: 2, identity: 2 },
    instead: { track: 'track-impatient', identity },
    env,
  });
  const seed = trial.seedOr(20_251_121);
  const caller = createCaller(system.client, 'soak');
  const sending = allSent(caller, seed, trial.quick ? quick : full);
  const kills = await keepKilling(system, workersOf(system), 5_000, sending);
  const done = await sending;
  const atRest = await rest(system);
  const people = await readPeople(system.mongo);
  const broken = await violations(system, people, done);
  broken.push(...atRest.broken);
  if (atRest.broken.length === 0) broken.push(...(await toldWrongly(system, people)));
  broken.push(...imbalance(await reconcile({ accepted: caller.accepted, erases: true, ...system })));
  const figures = {
    seed,
    operations: done.length,
    kills,
    'seconds to rest': atRest.seconds,
    alive: people.all.length,
    violations: broken.length,
  };
  return { figures, broken };
};

export const soak = faultOf(attempt, 'identity-impatient', 'identity-naive', {
  name: 'soak',
  title: 'operations of every kind about the same few people while workers are killed: the invariants hold',
  without: 'the fence and the transaction',
  breaks: /^I[1-8]: /,
});
