// Promises about order that one small history each can show: it is played often, at the same time as others, and judged by the oracle. And long
// histories, which are judged by what is there in the end.
import { outcomesOff, withClocksOff } from '../harness/clocks.ts';
import { unfinished, unswept } from '../harness/effects.ts';
import { type Fault, type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { few, identityViolations } from '../harness/identity-invariants.ts';
import { type People, readForwarding, readPeople } from '../harness/people.ts';
import type { System } from '../harness/system.ts';
import { type History, longHistoriesOf, timesEach } from '../oracle/history.ts';
import { hasPart } from '../oracle/model.ts';
import { chains, comingBack, early, inOrder, lastWins, laterOwner, races } from '../oracle/named.ts';
import type { Played } from '../oracle/play.ts';
import { type Plan, playTrial } from '../oracle/trial.ts';

type Sized<Value> = Record<'quick' | 'full', Value>;

interface Row extends Pick<Plan, 'env' | 'atRest'>, Pick<Fault, 'name' | 'title'> {
  /** What is wrong with all processes. */
  spoiled?(trial: Trial): Pick<Plan, 'preload' | 'processEnv' | 'spoil'>;
  histories(trial: Trial): History[];
  services: string[];
  /** So many at the same time. */
  hands: number;
  /** So many requests wait in front of them. */
  behind?: Sized<number>;
  /** So many workers are killed, evenly over the second half, or one every few seconds. */
  kills?: Sized<number> | 'always';
  instead: Record<string, string>;
  control: { without: string; instead: Record<string, string>; breaks?: RegExp };
}

const sizeOf = ({ quick }: Trial): keyof Sized<unknown> => (quick ? 'quick' : 'full');

const often =
  (some: readonly History[], times: Sized<number>): Row['histories'] =>
  (trial) =>
    timesEach(times[sizeOf(trial)], some);

const services = ['ingress', 'track', 'export'];

/** I1: an accepted event of a person whom nobody deletes is theirs. By an external id it always counts. */
const lostOnes = ({ all }: People, long: readonly Played[]): string[] => {
  const there = new Set(all.flatMap(({ events }) => events));
  const told = long
    .filter(({ history }) => history.keepsAll)
    .flatMap(({ names, steps }) =>
      steps.flatMap(({ operation, perhaps }) => {
        if (perhaps || operation.do !== 'track' || !hasPart(operation.parts, 'event')) return [];
        const counts = 'ext' in operation.who && operation.may !== 'update';
        return counts ? [`${names.prefix}-${operation.token}`] : [];
      }),
    );
  return few(told.filter((token) => !there.has(token)).map((token) => `I1: the event ${token} is lost`));
};

/** Once nothing is left to apply or to erase: what the documents say of who is who. */
const documentsOff = async (system: System, long: readonly Played[]): Promise<string[]> => {
  const late = [...(await unfinished(system, 60_000)), ...(await unswept(system, 60_000))];
  const people = await readPeople(system.mongo);
  return [...late, ...identityViolations(people, await readForwarding(system)), ...lostOnes(people, long)];
};

/** One turn in ten of three track workers fails, except where identity waits for them. */
const rows: Row[] = [
  // T20
  {
    name: 'last-wins',
    title: 'one attribute is set over and over, each time after the answer: the last accepted value stands',
    histories: often(lastWins, { quick: 100, full: 500 }),
    hands: 20,
    services,
    instead: { track: 'track-flaky' },
    control: { without: 'a fold that ignores stamps', instead: { track: 'track-flaky-unstamped' } },
  },
  {
    name: 'early',
    title: 'an event finds the alias, and an update the email, of a request that was accepted before',
    histories: often(early, { quick: 300, full: 3_000 }),
    hands: 16,
    services,
    instead: { track: 'track-patient' },
    control: { without: 'the wait for what was accepted before', instead: { track: 'track-hasty' } },
  },
  {
    name: 'later-owner',
    title: 'an entry by an unknown email or phone never goes to a person who gets it later',
    histories: often(laterOwner, { quick: 20, full: 300 }),
    hands: 16,
    services,
    instead: { track: 'track-patient' },
    control: {
      without: 'the knowledge since when a person has a contact',
      instead: { track: 'track-patient-forgetful' },
    },
  },
  // Callers who wait for the result are told soon that it may take longer: all is sent while the backlog is still there.
  {
    name: 'in-order',
    title: 'track, then at once who that is, behind a backlog: as if one had waited in between',
    histories: often(inOrder, { quick: 30, full: 100 }),
    hands: 60,
    behind: { quick: 2_000, full: 20_000 },
    services: ['ingress', 'track', 'identity', 'export'],
    env: { RESULT_TIMEOUT_SECONDS: '0.2' },
    instead: { track: 'track-impatient' },
    control: { without: 'the fence', instead: { identity: 'identity-without-fence' } },
  },
  // T24 to T27, T34. A deletion is answered as soon as it is accepted, and the next request is sent while it waits.
  {
    name: 'merge-races',
    title: 'merges in circles and chains, track meanwhile, forty creations, swaps, resurrection: nobody lost',
    histories: often([...races, ...chains], { quick: 8, full: 150 }),
    hands: 8,
    kills: { quick: 8, full: 60 },
    services: ['ingress', 'track', 'identity', 'export'],
    env: { RESULT_TIMEOUT_SECONDS: '0.3' },
    atRest: documentsOff,
    instead: { track: 'track-impatient' },
    control: { without: 'the transaction', instead: { identity: 'identity-without-transaction' } },
  },
  // T23. The clock of the ingress changes while one and the same attribute is set.
  {
    name: 'clocks',
    title:
      'clocks an hour ahead and an hour behind: the last accepted value stands, nothing expires too soon',
    histories: often([...lastWins, comingBack], { quick: 20, full: 300 }),
    hands: 8,
    services: ['ingress', 'track', 'identity', 'subscription', 'export'],
    spoiled: withClocksOff,
    atRest: outcomesOff,
    instead: { track: 'track-impatient' },
    control: {
      without: 'one clock for all: the ingress stamps by its own',
      instead: { ingress: 'ingress-own-clock' },
    },
  },
  // T32. About six people in each.
  {
    name: 'soak',
    title: 'operations of every kind about the same few people while workers are killed: the invariants hold',
    histories: ({ quick, seedOr }) => longHistoriesOf(seedOr(20_251_121), quick ? 2 : 8, quick ? 300 : 1_250),
    hands: 8,
    kills: 'always',
    services: ['ingress', 'track', 'identity', 'subscription', 'export'],
    env: { RESULT_TIMEOUT_SECONDS: '0.3' },
    atRest: documentsOff,
    instead: { track: 'track-impatient' },
    control: {
      without: 'the fence and the transaction',
      instead: { identity: 'identity-naive' },
      breaks: /^I[1-6]: /,
    },
  },
];

const attemptOf =
  ({ histories, hands, behind, kills, services, env, atRest, spoiled }: Row) =>
  async (trial: Trial, how: Pick<Plan, 'instead' | 'isControl'>): Promise<Findings> => {
    const size = sizeOf(trial);
    const all = histories(trial);
    const { unexplained, ...findings } = await playTrial(trial, {
      histories: all,
      shape: { workspaces: 1, hands, atOnce: kills ? 24 : all.length },
      ...how,
      services,
      ...(env && { env }),
      ...spoiled?.(trial),
      ...(atRest && { atRest }),
      ...(kills === 'always'
        ? { withKills: all.length }
        : kills && { withKills: Math.floor(all.length / 2), killTimes: kills[size] }),
      ...(behind && { behind: behind[size] }),
    });
    if (unexplained.length > 0)
      findings.broken.push(`no order explains ${unexplained.length} of ${all.length} histories`);
    return findings;
  };

export const histories: Fault[] = rows.map((row) => {
  const { name, title, instead, control } = row;
  const unprotected = { instead: { ...instead, ...control.instead }, isControl: true };
  const { without, breaks = /^no order explains/ } = control;
  return faultOf(attemptOf(row), [{ instead }, unprotected], { name, title, without, breaks });
});
