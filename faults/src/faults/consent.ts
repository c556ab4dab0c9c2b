// Consent is never reordered: whatever road a statement takes, the last accepted one stands, and the history tells how it came to that.
import { createDeadLetters } from '@roster/queue';
import { keepKilling } from '../harness/chaos.ts';
import { type Client, isAccepted, requestIdOf } from '../harness/client.ts';
import { createDice, type Dice } from '../harness/dice.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { deadLetters } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { eachOf, sleep } from '../harness/wait.ts';

type State = 'subscribed' | 'unsubscribed';

/** Of the demo workspace: the first by email, the second by text message. */
const groups = ['demo-news', 'demo-texts'] as const;
type Group = (typeof groups)[number];

interface Person {
  id: string;
  email: string;
  phone: string;
}

/** The first half share their emails, two by two. */
const personOf = (n: number, count: number): Person => ({
  id: `person-${n}`,
  email: `${n < count / 2 ? `pair-${Math.floor(n / 2)}` : `single-${n}`}@example.com`,
  phone: `+1500${5_550_000 + n}`,
});

const callers = 8;

/** As many as the local stack has. */
const partitions = 4;

/** On the average. */
const namesInRequest = 10;

const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));

/** Accepted, and a dead letter by now: it is said all the same. */
const isDead = (status: number): boolean => status === 500;

const accepted = async (client: Client, path: string, body: unknown, key: string): Promise<string> => {
  for (let attempt = 0; attempt < 40; attempt++) {
    const answer = await client.call({ path, body, idempotencyKey: key, timeoutMs: 15_000 });
    if (isAccepted(answer) || isDead(answer.status)) return requestIdOf(answer);
    if (answer.status !== 0 && answer.status !== 503)
      throw new Error(`${path} was answered ${answer.status}: ${answer.body.slice(0, 200)}`);
    await sleep(250);
  }
  throw new Error(`${path} was never accepted`);
};

const makePeople = async (system: System, people: readonly Person[]): Promise<string[]> => {
  const made: string[] = [];
  await eachOf(inParts(people, 50), callers, async (some) => {
    const attributes = some.map(({ id, email, phone }) => ({ external_id: id, email, phone }));
    made.push(await accepted(system.client, '/users/track', { attributes }, `make-${some[0]?.id}`));
  });
  if (!(await system.quiet(60_000))) throw new Error('the people were not there after 60 s');
  return made;
};

/** One way to say something, and whom it reaches of those who are named. */
interface Road {
  /** An email is shared; that somebody shares it tells nothing of their text messages, unless it is tracked. */
  reaches(group: Group): 'sharers' | 'themselves';
  groups: readonly Group[];
  call(people: readonly Person[], group: Group, state: State): { path: string; body: unknown };
}

const tracked =
  (who: (person: Person) => object): Road['call'] =>
  (people, group, state) => ({
    path: '/users/track',
    body: {
      attributes: people.map((person) => ({
        ...who(person),
        subscription_groups: [{ subscription_group_id: group, subscription_state: state }],
      })),
    },
  });

const first =
  (names: (people: readonly Person[]) => object): Road['call'] =>
  (people, group, state) => ({
    path: '/subscription/status/set',
    body: { subscription_group_id: group, subscription_state: state, ...names(people) },
  });

const second =
  (names: (people: readonly Person[]) => object): Road['call'] =>
  (people, group, state) => ({
    path: '/v2/subscription/status/set',
    body: {
      subscription_groups: [{ subscription_group_id: group, subscription_state: state, ...names(people) }],
    },
  });

const ids = (people: readonly Person[]) => people.map(({ id }) => id);
const emails = (people: readonly Person[]) => people.map(({ email }) => email);
const phones = (people: readonly Person[]) => people.map(({ phone }) => phone);
const [news, texts] = groups;

const sharers = () => 'sharers' as const;
const byChannel = (group: Group) => (group === news ? 'sharers' : 'themselves');

const roads: readonly Road[] = [
  { reaches: sharers, groups, call: tracked(({ id }) => ({ external_id: id })) },
  { reaches: sharers, groups: [news], call: tracked(({ email }) => ({ email })) },
  { reaches: byChannel, groups, call: first((people) => ({ external_id: ids(people) })) },
  { reaches: byChannel, groups: [news], call: first((people) => ({ email: emails(people) })) },
  { reaches: byChannel, groups: [texts], call: first((people) => ({ phone: phones(people) })) },
  { reaches: byChannel, groups, call: second((people) => ({ external_ids: ids(people) })) },
  { reaches: byChannel, groups: [news], call: second((people) => ({ emails: emails(people) })) },
  { reaches: byChannel, groups: [texts], call: second((people) => ({ phones: phones(people) })) },
];

interface Said {
  /** When it was accepted, as its id says. */
  at: number;
  state: State;
  request: string;
}

/** What was said to each person, by group. */
type Book = Map<string, Said[]>;

const placeOf = (person: Person, group: Group): string => `${person.id} ${group}`;

const stampOf = (request: string): number => Number.parseInt(request.slice(1, request.indexOf('-')), 36);

const pick = <T>(dice: Dice, all: readonly T[]): T => all[dice.below(all.length)] as T;

const converse = async (
  system: System,
  people: readonly Person[],
  { seed, statementsEach }: { seed: number; statementsEach: number },
  book: Book,
) => {
  const requests: string[] = [];
  const sharersOf = new Map<string, Person[]>();
  for (const person of people) sharersOf.set(person.email, [...(sharersOf.get(person.email) ?? []), person]);
  const perCaller = Math.ceil((people.length * statementsEach) / namesInRequest / callers);
  const caller = async (_: unknown, number: number): Promise<void> => {
    const dice = createDice(seed * 100 + number);
    for (let n = 0; n < perCaller; n++) {
      const some = [
        ...new Set(Array.from({ length: 1 + dice.below(2 * namesInRequest - 1) }, () => pick(dice, people))),
      ];
      const road = pick(dice, roads);
      const group = pick(dice, road.groups);
      const state: State = dice.below(2) ? 'subscribed' : 'unsubscribed';
      const { path, body } = road.call(some, group, state);
      const request = await accepted(system.client, path, body, `say-${number}-${n}`);
      requests.push(request);
      const reached =
        road.reaches(group) === 'themselves' ? some : some.flatMap(({ email }) => sharersOf.get(email) ?? []);
      for (const person of new Set(reached)) {
        const place = placeOf(person, group);
        book.set(place, [...(book.get(place) ?? []), { at: stampOf(request), state, request }]);
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return requests;
};

const read = async (client: Client, path: string): Promise<Record<string, unknown>> => {
  const { status, body } = await client.call({ method: 'GET', path, timeoutMs: 15_000 });
  if (status !== 200)
    throw new Error(`${path.split('?', 1)[0]} was answered ${status}: ${body.slice(0, 200)}`);
  return JSON.parse(body) as Record<string, unknown>;
};

const stored = async (
  client: Client,
  people: readonly Person[],
  group: Group,
): Promise<Map<string, string>> => {
  const states = new Map<string, string>();
  await eachOf(inParts(people, 50), callers, async (some) => {
    const query = some.map(({ id }) => `external_id[]=${id}`).join('&');
    const found = await read(client, `/subscription/status/get?subscription_group_id=${group}&${query}`);
    for (const [id, state] of Object.entries(found.status as Record<string, string>))
      states.set(id, state.toLowerCase());
  });
  return states;
};

const lastOf = (said: readonly Said[] = []): Said | undefined =>
  said.reduce<Said | undefined>((last, one) => (!last || one.at > last.at ? one : last), undefined);

const wrongStates = async (client: Client, people: readonly Person[], book: Book): Promise<string[]> => {
  const wrong: string[] = [];
  for (const group of groups) {
    const states = await stored(client, people, group);
    for (const person of people) {
      const last = lastOf(book.get(placeOf(person, group)));
      const wanted = last?.state ?? 'unknown';
      const found = states.get(person.id);
      if (found !== wanted)
        wrong.push(`${placeOf(person, group)}: ${found} instead of ${wanted}, said by ${last?.request}`);
    }
  }
  return wrong;
};

interface Change {
  subscription_group_id: string;
  from: string | null;
  to: string | null;
  request_id: string;
}

/** Oldest first. */
const historyOf = async (client: Client, { id }: Person): Promise<Change[]> =>
  ((await read(client, `/subscription/history?external_id=${id}`)).changes as Change[]).toReversed();

/** The statements one after the other, those together that repeat each other: each of these is one change. */
const runsIn = (said: readonly Said[]): { state: State; requests: Set<string> }[] => {
  const runs: { state: State; requests: Set<string> }[] = [];
  for (const { state, request } of said.toSorted((a, b) => a.at - b.at)) {
    const last = runs.at(-1);
    if (last?.state === state) last.requests.add(request);
    else runs.push({ state, requests: new Set([request]) });
  }
  return runs;
};

/** Every change, and nothing else. One that turned out to be one only later is told by a statement that repeats it. */
const gapsIn = (changes: readonly Change[], said: readonly Said[] = []): string[] => {
  const runs = runsIn(said);
  if (changes.length !== runs.length) return [`has ${changes.length} changes instead of ${runs.length}`];
  return changes.flatMap(({ from, to, request_id }, index) => {
    const run = runs[index];
    if (from !== (changes[index - 1]?.to ?? null)) return ['does not begin where the one before ended'];
    if (to !== run?.state) return [`tells of ${to} instead of ${run?.state}`];
    return run.requests.has(request_id) ? [] : ['tells of what nobody said'];
  });
};

const wrongHistories = async (client: Client, people: readonly Person[], book: Book) => {
  const wrong: string[] = [];
  let changes = 0;
  await eachOf(people, callers, async (person) => {
    const all = await historyOf(client, person);
    changes += all.length;
    for (const group of groups) {
      const some = all.filter((change) => change.subscription_group_id === group);
      for (const gap of gapsIn(some, book.get(placeOf(person, group))))
        wrong.push(`the history of ${placeOf(person, group)} ${gap}`);
    }
  });
  return { wrong, changes };
};

const inShort = (what: string, wrong: readonly string[]): string[] =>
  wrong.length === 0 ? [] : [`${wrong.length} ${what}, for example ${wrong.slice(0, 3).join('; ')}`];

/**
 * Whoever happened to be at work alone each time its worker was killed counts as the culprit. It is retried as an operator would do
 * it, much later than anything else: its stamp is the old one.
 */
const retryDead = async (system: System): Promise<number> => {
  const letters = createDeadLetters(system.redis, partitions);
  const dead = await deadLetters(system.redis);
  for (const { id } of dead) await letters.retry(id);
  await letters.close();
  return dead.length;
};

interface Mains {
  track: string;
  subscription: string;
}

const startOf = (trial: Trial, instead: Mains): Promise<System> =>
  trial.system({
    services: ['ingress', 'track', 'subscription', 'export'],
    workers: { track: 2, subscription: 2 },
    instead: { ...instead },
  });

/** The fewer people, the more often two statements about one of them are under way at once. */
const conversations = async (
  trial: Trial,
  mains: Mains,
  count: number,
  statementsEach: number,
): Promise<Findings> => {
  const system = await startOf(trial, mains);
  const seed = trial.seed ?? Math.floor(Date.now() / 1000) % 1_000_000;
  trial.say(`seed ${seed}; again with: npm run faults -- consent --seed ${seed}`);
  const people = Array.from({ length: count }, (_, n) => personOf(n, count));
  const made = await makePeople(system, people);
  const book: Book = new Map();
  const victims = [...system.processesOf('track'), ...system.processesOf('subscription')];
  const stopKilling = keepKilling(system, victims, 3_000);
  const requests = await converse(system, people, { seed, statementsEach }, book);
  const kills = await stopKilling();
  const broken: string[] = [];
  if (!(await system.quiet(60_000))) broken.push('the queues were not empty after 60 s');
  const retried = await retryDead(system);
  if (!(await system.quiet(60_000))) broken.push('what was retried was not applied after 60 s');
  broken.push(
    ...inShort(
      'people have another state than the last accepted one',
      await wrongStates(system.client, people, book),
    ),
  );
  const asked = people.slice(0, trial.quick ? 500 : 2_000);
  const { wrong, changes } = await wrongHistories(system.client, asked, book);
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

/** So many emails, each shared by so many, in one request; whoever works on it is killed, again and again. */
const crowd = async (trial: Trial, sharers: number): Promise<Findings> => {
  const system = await startOf(trial, { track: 'track-impatient', subscription: 'subscription-slow' });
  const people = Array.from({ length: 50 * sharers }, (_, n) => ({
    id: `many-${n}`,
    email: `crowd-${n % 50}@example.com`,
    phone: `+1500${5_550_000 + n}`,
  }));
  await makePeople(system, people);
  const { path, body } = second((some) => ({ emails: [...new Set(emails(some))] }))(
    people,
    news,
    'unsubscribed',
  );
  const saying = accepted(system.client, path, body, 'crowd');
  const stopKilling = keepKilling(system, system.processesOf('subscription'), 250);
  await sleep(2_000);
  const kills = await stopKilling();
  const request = await saying;
  const broken: string[] = [];
  if (!(await system.quiet(60_000))) broken.push('the queues were not empty after 60 s');
  const states = await stored(system.client, people, news);
  const missed = people.filter(({ id }) => states.get(id) !== 'unsubscribed');
  broken.push(...inShort('of the crowd were not reached', ids(missed)));
  const rows = await system.mongo.collection('consents').countDocuments({ request });
  if (rows !== 50) broken.push(`${rows} rows of history for 50 emails`);
  return { figures: { crowd: people.length, 'kills in the middle': kills }, broken };
};

const proper: Mains = { track: 'track-flaky-impatient', subscription: 'subscription-impatient' };
const unstamped: Mains = { track: 'track-flaky-unstamped-impatient', subscription: 'subscription-unstamped' };

export const consent: Fault = {
  name: 'consent',
  title:
    'all roads to consent at once, workers killed: the last accepted statement stands, and the history has no gap',
  async run(trial): Promise<Findings> {
    const one = await conversations(trial, proper, trial.quick ? 500 : 10_000, 4);
    const other = await crowd(trial, trial.quick ? 20 : 200);
    return { figures: { ...one.figures, ...other.figures }, broken: [...one.broken, ...other.broken] };
  },
  control: {
    without: 'stamps: the last to be written wins',
    run: (trial) => conversations(trial, unstamped, 20, trial.quick ? 100 : 200),
  },
};
