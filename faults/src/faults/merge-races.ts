// T24 to T27 and T34: everything about who is who, round after round, several at once.
import { type Caller, createCaller } from '../harness/caller.ts';
import { keepKilling } from '../harness/chaos.ts';
import { besides, erasedLetters } from '../harness/erased-letters.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { readForwarding } from '../harness/forwarding.ts';
import { few, identityViolations } from '../harness/identity-invariants.ts';
import { type People, readPeople } from '../harness/people.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { eachOf } from '../harness/wait.ts';
import { aliasesOfOne, swaps } from './races/aliases.ts';
import { chain } from './races/chain.ts';
import { creations } from './races/creations.ts';
import { crossing, intoThemselves, threeInACircle } from './races/cycles.ts';
import { below, type Race } from './races/race.ts';
import { resurrection } from './races/resurrection.ts';
import { trackingMeanwhile } from './races/tracking.ts';

const races: Race[] = [
  crossing,
  threeInACircle,
  intoThemselves,
  chain,
  trackingMeanwhile,
  creations,
  aliasesOfOne,
  swaps,
];

interface Round {
  race: Race;
  name: string;
  n: number;
}

const roundsOf = (race: Race, count: number): Round[] =>
  below(Math.max(Math.min(count, race.mostRounds ?? count), race.leastRounds ?? 0)).map((n) => ({
    race,
    n,
    name: `${race.name.replaceAll(' ', '-')}-${n}`,
  }));

const playAll = (caller: Caller, rounds: readonly Round[], hands: number): Promise<void> =>
  eachOf(rounds, hands, ({ race, name, n }) => race.play(caller, name, n));

/** Workers that die with jobs in their hands, so that those come back late. */
const playAmongKills = async (
  system: System,
  caller: Caller,
  rounds: readonly Round[],
  everyMs: number,
): Promise<number> => {
  const stopKilling = keepKilling(system, system.workers, everyMs);
  await playAll(caller, rounds, 16);
  return stopKilling();
};

const wrongIn = (people: People, rounds: readonly Round[]) =>
  rounds.flatMap(({ race, name, n }) => {
    const [first] = race.check(people, name, n);
    return first === undefined ? [] : [{ race: race.name, sentence: `${name}: ${first}` }];
  });

const verdictOn = (people: People, all: readonly Round[]) => {
  const wrong = wrongIn(people, all);
  const names = [...new Set(all.map(({ race }) => race.name))];
  const of = (name: string) => wrong.filter(({ race }) => race === name);
  return {
    figures: Object.fromEntries(names.map((name) => [`${name}, wrong`, of(name).length])),
    broken: names.flatMap((name) =>
      few(
        of(name).map(({ sentence }) => sentence),
        2,
      ),
    ),
  };
};

/** A deletion is answered as soon as it is accepted, and the next request is sent while it waits. */
const env = { RESULT_TIMEOUT_SECONDS: '0.3' };

const attempt = async (trial: Trial, identity: string): Promise<Findings> => {
  const count = trial.quick ? 10 : 500;
  const system = await trial.system({
    services: ['ingress', 'track', 'identity', 'export'],
    workers: { track: 3, identity: 2 },
    instead: { track: 'track-impatient', identity },
    env,
  });
  const caller = createCaller(system.client, 'races');
  const calm = races.flatMap((race) => roundsOf(race, count)).toSorted((a, b) => a.n - b.n);
  const troubled = roundsOf(resurrection, count);
  await playAll(caller, calm, 8);
  const kills = await playAmongKills(system, caller, troubled, trial.quick ? 2_000 : 5_000);
  const ended = await system.quiet(60_000);
  const people = await readPeople(system.mongo);
  const { figures, broken } = verdictOn(people, [...calm, ...troubled]);
  broken.push(...identityViolations(people, await readForwarding(system)));
  if (!ended) broken.push('not everything was applied within 60 s');
  const erased = await erasedLetters(system.mongo, system.redis);
  broken.push(...imbalance(besides(await reconcile({ accepted: caller.accepted, ...system }), erased)));
  const sizes = {
    rounds: calm.length + troubled.length,
    requests: caller.accepted.length,
    kills,
    'letters erased': erased,
  };
  return { figures: { ...sizes, 'slowest chain ms': chain.slowestMs(), ...figures }, broken };
};

export const mergeRaces = faultOf(attempt, 'identity-impatient', 'identity-without-transaction', {
  name: 'merge-races',
  title: 'merges in circles and chains, track meanwhile, forty creations, swaps, resurrection: nobody lost',
  without: 'the transaction',
  breaks: /^\S+-\d+: /,
});
