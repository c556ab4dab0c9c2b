// T31: whatever happens at once, what is there afterwards is what some order of the accepted requests gives.

import { keepKilling } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { eachOf } from '../harness/wait.ts';
import { explain } from '../oracle/explain.ts';
import { type History, makeHistory } from '../oracle/history.ts';
import { type Played, play } from '../oracle/play.ts';
import { shrink } from '../oracle/shrink.ts';
import { tell } from '../oracle/tell.ts';

/** Histories under way at the same time, each with three or four callers at once. */
const hands = 8;

/** Seeds that follow each other must not make histories that resemble each other. */
const scattered = (seed: number): number => Math.imul(seed + 1, 2_654_435_761) >>> 0;

const historyOf = (seed: number): History => makeHistory(createDice(scattered(seed)), seed);

interface Tally {
  accepted: string[];
  unexplained: History[];
  broken: string[];
  mostStates: number;
  operations: number;
}

/** What could not be looked at is a broken promise of its own. */
const isExplained = ({ steps, seen }: Played, tally: Tally): boolean => {
  if (seen === undefined) return true;
  const { order, states } = explain(steps, seen);
  tally.mostStates = Math.max(tally.mostStates, states);
  return order !== undefined;
};

const story = (history: History, { seen }: Played): string =>
  `seed ${history.seed}: no order of these explains what is there\n${tell(history)}\nseen:\n${seen}`;

const playOne = async (system: System, seed: number, tally: Tally, say: Trial['say']): Promise<void> => {
  const history = historyOf(seed);
  const played = await play(system.client, history, `h${seed}`);
  tally.accepted.push(...played.accepted);
  tally.operations += played.steps.length;
  tally.broken.push(...played.broken.map((sentence) => `seed ${seed}: ${sentence}`));
  if (isExplained(played, tally)) return;
  tally.unexplained.push(history);
  say(story(history, played));
};

/** Names of their own each time: people of an earlier play are still there. */
const createReplay = (system: System, tally: Tally) => {
  let plays = 0;
  return async (history: History): Promise<boolean> => {
    plays += 1;
    return !isExplained(await play(system.client, history, `again${plays}`), tally);
  };
};

const killed = (system: System): string[] => [
  ...system.processesOf('track'),
  ...system.processesOf('identity'),
];

interface Plan {
  /** The program of the identity workers. */
  main: string;
  histories: number;
  /** Plays what could not be explained again and again, to find the least that fails. */
  shrinks: boolean;
}

const tryToShrink = async (trial: Trial, system: System, tally: Tally): Promise<void> => {
  const [unexplained] = tally.unexplained;
  if (!unexplained) return;
  const smallest = await shrink(unexplained, createReplay(system, tally));
  trial.say(`seed ${unexplained.seed}, as small as it still fails:\n${tell(smallest)}`);
};

const attempt = async (trial: Trial, { main, histories, shrinks }: Plan) => {
  const system = await trial.system({
    services: ['ingress', 'track', 'identity', 'export'],
    workers: { track: 3, identity: 3 },
    // What is asked of identity comes while a track request before it is still at work, however fast the machine is.
    instead: { track: 'track-slow', identity: main },
  });
  const first = trial.seed ?? Math.floor(Date.now() / 1000) % 1_000_000;
  trial.say(
    `seeds ${first} to ${first + histories - 1}; again with: npm run faults -- identity --seed ${first}`,
  );
  const tally: Tally = { accepted: [], unexplained: [], broken: [], mostStates: 0, operations: 0 };
  const stopKilling = keepKilling(system, killed(system), 4_000);
  const seeds = Array.from({ length: histories }, (_, i) => first + i);
  await eachOf(seeds, hands, (seed) => playOne(system, seed, tally, shrinks ? trial.say : () => {}));
  if (shrinks) await tryToShrink(trial, system, tally);
  const kills = await stopKilling();
  const figures = {
    histories,
    operations: tally.operations,
    unexplained: tally.unexplained.length,
    kills,
    'most states of a search': tally.mostStates,
  };
  const broken = [...tally.broken, ...imbalance(await reconcile({ accepted: tally.accepted, ...system }))];
  return { figures, broken, unexplained: tally.unexplained };
};

/** One in ten: fewer, and the histories are too tame to tell right from wrong. */
const leastShare = 0.1;

export const identity: Fault = {
  name: 'identity',
  title: 'everything about who is who, at once, while workers are killed: some order explains what is there',
  async run(trial): Promise<Findings> {
    const plan = { main: 'identity-impatient', histories: trial.quick ? 200 : 1_000, shrinks: true };
    const { figures, broken, unexplained } = await attempt(trial, plan);
    const seeds = unexplained.map(({ seed }) => seed).join(', ');
    return {
      figures,
      broken: unexplained.length > 0 ? [...broken, `no order explains the seeds ${seeds}`] : broken,
    };
  },
  control: {
    without: 'the fence and the transaction',
    breaks: /are unexplained/,
    async run(trial): Promise<Findings> {
      const histories = trial.quick ? 40 : 200;
      const { figures, unexplained } = await attempt(trial, {
        main: 'identity-naive',
        histories,
        shrinks: false,
      });
      const isClear = unexplained.length >= leastShare * histories;
      return { figures, broken: isClear ? [`${unexplained.length} of ${histories} are unexplained`] : [] };
    },
  },
};
