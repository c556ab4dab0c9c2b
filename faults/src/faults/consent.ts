// Consent is never reordered: whatever road a statement takes, the last accepted one stands, and the history tells how it came to that.
import { createDeadLetters } from '@roster/queue';
import {
  createConsentModel as createModel,
  type ConsentEvent as Event,
  movingEmails as moving,
  type ConsentPerson as Person,
  consentRoads as roads,
  type ConsentState as State,
} from '@roster/testkit';
import { insist } from '../harness/book.ts';
import { createCaller, trackAll } from '../harness/caller.ts';
import { keepKilling } from '../harness/chaos.ts';
import { type Client, isAccepted, requestIdOf, stampOf } from '../harness/client.ts';
import { createDice, type Dice, pick } from '../harness/dice.ts';
import { type Fault, type Findings, type Trial, together } from '../harness/fault.ts';
import { deadLetters } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';
import { callers, inShort, stored, wrongHistories, wrongStates } from './consent/judge.ts';

/** The first half share their emails, two by two. */
const personOf = (n: number, count: number): Person => ({
  id: `person-${n}`,
  email: `${n < count / 2 ? `pair-${Math.floor(n / 2)}` : `single-${n}`}@example.com`,
  phone: `+1500${5_550_000 + n}`,
});

/** On the average. */
const namesInRequest = 10;

/** Accepted, and a dead letter by now: it is said all the same. */
const isDead = (status: number): boolean => status === 500;

const accepted = async (client: Client, path: string, body: unknown, key: string): Promise<string> => {
  const answer = await insist(client, { path, body, idempotencyKey: key });
  if (isAccepted(answer) || isDead(answer.status)) return requestIdOf(answer);
  throw new Error(`${path} was answered ${answer.status}: ${answer.body.slice(0, 200)}`);
};

const makePeople = async (system: System, people: readonly Person[]): Promise<string[]> => {
  const caller = createCaller(system.client, 'make');
  const attributes = people.map(({ id, email, phone }) => ({ external_id: id, email, phone }));
  await trackAll(caller, attributes);
  if (!(await system.quiet(60_000))) throw new Error('the people were not there after 60 s');
  return caller.accepted;
};

/** A request says something of several; the order of its entries counts. */
type Told = { path: string; body: unknown; events: ((request: string) => Event)[] };

const saying = (dice: Dice, some: readonly Person[]): Told => {
  const road = pick(dice, roads);
  const group = pick(dice, road.groups);
  const state: State = dice.below(2) ? 'subscribed' : 'unsubscribed';
  const events = some.map((person, n) => (request: string): Event => {
    const said = { at: stampOf(request), n, request, group, state };
    if (road.of === 'person') return { is: 'said of person', id: person.id, ...said };
    return { is: 'said of contact', contact: person[road.of], ...said };
  });
  return { ...road.call(some, group, state), events };
};

/** One in three gets the email of another person, one in three gets their first one back. */
const relocating = (dice: Dice, some: readonly Person[], all: readonly Person[], name: string): Told => {
  const emailOf = new Map(
    some.map((person, n) => [
      person.id,
      [pick(dice, all).email, person.email, `${name}-${n}@example.com`][dice.below(3)] ?? person.email,
    ]),
  );
  const emailFor = ({ id }: Person): string => emailOf.get(id) ?? '';
  const events = some.map((person, n) => (request: string): Event => {
    return { is: 'moved', id: person.id, email: emailFor(person), at: stampOf(request), n, request };
  });
  return { ...moving(some, emailFor), events };
};

const converse = async (
  system: System,
  people: readonly Person[],
  { seed, statementsEach }: { seed: number; statementsEach: number },
  book: Event[],
) => {
  const requests: string[] = [];
  const perCaller = Math.ceil((people.length * statementsEach) / namesInRequest / callers);
  const caller = async (_: unknown, number: number): Promise<void> => {
    const dice = createDice(seed * 100 + number);
    for (let n = 0; n < perCaller; n++) {
      const some = [
        ...new Set(Array.from({ length: 1 + dice.below(2 * namesInRequest - 1) }, () => pick(dice, people))),
      ];
      const { path, body, events } =
        dice.below(5) === 0 ? relocating(dice, some, people, `new-${number}-${n}`) : saying(dice, some);
      const request = await accepted(system.client, path, body, `say-${number}-${n}`);
      requests.push(request);
      book.push(...events.map((event) => event(request)));
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return requests;
};

/**
 * A request that was at work alone each time its worker was killed counts as the culprit. It is retried as an operator would do
 * it, much later than anything else: its stamp is the old one.
 */
const retryDead = async (system: System): Promise<number> => {
  const letters = createDeadLetters(system.redis);
  const dead = await deadLetters(system.redis);
  for (const { id } of dead) await letters.retry(id);
  await letters.close();
  return dead.length;
};

type Mains = Record<'track' | 'subscription', string>;

const startOf = (trial: Trial, instead: Mains): Promise<System> =>
  trial.system({
    services: ['ingress', 'track', 'subscription', 'export'],
    workers: { track: 2, subscription: 2 },
    instead,
  });

/** The fewer people, the more often two statements about one of them are under way at once. */
const conversations = async (
  trial: Trial,
  mains: Mains,
  count: number,
  statementsEach: number,
): Promise<Findings> => {
  const system = await startOf(trial, mains);
  const seed = trial.seedOr(Math.floor(Date.now() / 1000) % 1_000_000);
  trial.say(`seed ${seed}; again with: npm run faults -- consent --seed ${seed}`);
  const people = Array.from({ length: count }, (_, n) => personOf(n, count));
  const made = await makePeople(system, people);
  const book: Event[] = [];
  const victims = [...system.processesOf('track'), ...system.processesOf('subscription')];
  const conversing = converse(system, people, { seed, statementsEach }, book);
  const kills = await keepKilling(system, victims, 3_000, conversing);
  const requests = await conversing;
  const broken: string[] = [];
  if (!(await system.quiet(60_000))) broken.push('the queues were not empty after 60 s');
  const retried = await retryDead(system);
  if (!(await system.quiet(60_000))) broken.push('what was retried was not applied after 60 s');
  const model = createModel(people);
  model.playAll(book);
  broken.push(
    ...inShort(
      'people have another state than the last accepted one',
      await wrongStates(system.client, people, model),
    ),
  );
  const asked = people.slice(0, 2_000);
  const { wrong, changes } = await wrongHistories(system.client, asked, model);
  broken.push(...inShort('gaps in histories', wrong));
  broken.push(...imbalance(await reconcile({ accepted: [...made, ...requests], ...system })));
  return {
    figures: {
      people: count,
      requests: requests.length,
      'changes told': changes,
      'dead and retried': retried,
      kills,
    },
    broken,
  };
};

/** So many emails, each with so many people, in one request; its worker is killed, again and again. */
const crowd = async (trial: Trial, sharers: number): Promise<Findings> => {
  const system = await startOf(trial, { track: 'track-impatient', subscription: 'subscription-slow' });
  const people = Array.from({ length: 50 * sharers }, (_, n) => ({
    id: `many-${n}`,
    email: `crowd-${n % 50}@example.com`,
    phone: `+1500${5_550_000 + n}`,
  }));
  await makePeople(system, people);
  const emails = [...new Set(people.map(({ email }) => email))];
  const said = { subscription_group_id: 'demo-news', subscription_state: 'unsubscribed', emails };
  const body = { subscription_groups: [said] };
  const saying = accepted(system.client, '/v2/subscription/status/set', body, 'crowd');
  const kills = await keepKilling(system, system.processesOf('subscription'), 250, sleep(2_000));
  const request = await saying;
  const broken: string[] = [];
  if (!(await system.quiet(60_000))) broken.push('the queues were not empty after 60 s');
  const states = await stored(system.client, people, 'demo-news');
  const missed = people.filter(({ id }) => states.get(id) !== 'unsubscribed');
  broken.push(
    ...inShort(
      'of the crowd were not reached',
      missed.map(({ id }) => id),
    ),
  );
  const at = stampOf(request);
  const registers = await system.mongo.collection('contacts').countDocuments({ 'consents.at': at });
  if (registers !== 50) broken.push(`${registers} registers of 50 emails were written`);
  return { figures: { crowd: people.length, 'kills in the middle': kills }, broken };
};

const proper: Mains = { track: 'track-flaky-impatient', subscription: 'subscription-impatient' };
const unstamped: Mains = { track: 'track-flaky-unstamped-impatient', subscription: 'subscription-unstamped' };

export const consent: Fault = {
  name: 'consent',
  title:
    'all roads to consent at once, people changing their emails, workers killed: states and histories are those of a plain sequential model',
  async run(trial): Promise<Findings> {
    const one = await conversations(trial, proper, trial.quick ? 250 : 10_000, 4);
    const other = await crowd(trial, trial.quick ? 20 : 200);
    return together([one, other]);
  },
  control: {
    without: 'stamps: statements count from about when they are applied',
    breaks: /people have another state than the last accepted one/,
    run: (trial) => conversations(trial, unstamped, 20, trial.quick ? 50 : 200),
  },
};
