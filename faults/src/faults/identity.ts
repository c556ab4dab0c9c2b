// T31: whatever happens at once, what is there afterwards is what one order of the accepted requests gives.

import { keepKilling, killAlong } from '../harness/chaos.ts';
import type { Client } from '../harness/client.ts';
import { createDice } from '../harness/dice.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { eachOf, sleep } from '../harness/wait.ts';
import { explain } from '../oracle/explain.ts';
import { afterDeletion, found, goingAlias } from '../oracle/found.ts';
import { type History, initialOf, makeHistory } from '../oracle/history.ts';
import { type Played, playAll } from '../oracle/play.ts';
import { shrink } from '../oracle/shrink.ts';
import { tell } from '../oracle/tell.ts';

/**
 * Each workspace plays histories of its own, so a request that waits for its whole workspace waits for few of them. `hands`: histories of a
 * workspace under way at the same time. `atOnce`: histories that one export looks at.
 */
interface Shape {
  workspaces: number;
  hands: number;
  atOnce: number;
}

const many: Shape = { workspaces: 24, hands: 4, atOnce: 24 };

/**
 * All in one workspace wait for each other: it takes longer, and more requests are late, as what goes wrong without a protection needs.
 * Controls play so, and short trials like their controls.
 */
const one: Shape = { workspaces: 1, hands: 24, atOnce: 60 };

/** For trials that count: small parts, so that kills fall into all of them. */
const few: Shape = { workspaces: 3, hands: 6, atOnce: 6 };

/** So often those that once failed are played. */
const timesFound = { counting: 1, quick: 5, full: 10 };

/** Seeds that follow each other must not make histories that resemble each other. */
const scattered = (seed: number): number => Math.imul(seed + 1, 2_654_435_761) >>> 0;

const historyOf = (seed: number): History => makeHistory(createDice(scattered(seed)), seed);

interface Tally {
  accepted: string[];
  unexplained: History[];
  /** Histories that have an explanation only where any of the people who share a contact may have been changed last. */
  openRanks: number;
  broken: string[];
  mostStates: number;
  histories: number;
  operations: number;
}

const isExplained = ({ history, steps, seen }: Played, tally: Tally): boolean => {
  const { order, states } = explain(initialOf(history), steps, seen);
  tally.mostStates = Math.max(tally.mostStates, states);
  if (order) return true;
  const isOpen = explain(initialOf(history), steps, seen, { openRanks: true }).order !== undefined;
  if (isOpen) tally.openRanks += 1;
  return isOpen;
};

const story = ({ history, seen }: Played): string =>
  `seed ${history.seed}: no order of these explains what is there\n${tell(history)}\nseen:\n${seen.people}`;

/** The subscription groups of the demo workspace. */
const groups = [
  { id: 'demo-news', name: 'News', channel: 'email' },
  { id: 'demo-texts', name: 'Texts', channel: 'sms' },
];

const clientsOf = async (system: System, workspaces: number): Promise<Client[]> => {
  const names = Array.from({ length: workspaces - 1 }, (_, n) => `more-${n}`);
  const clients = new Map<string, Client>();
  await eachOf(names, 2, async (name) => {
    clients.set(name, await system.newWorkspace(name, { subscription_groups: groups }));
  });
  return [system.client, ...clients.values()];
};

const partsOf = (histories: readonly History[], atOnce: number): History[][] =>
  Array.from({ length: Math.ceil(histories.length / atOnce) }, (_, n) =>
    histories.slice(n * atOnce, (n + 1) * atOnce),
  );

interface Judge {
  judge(played: Played): void;
  /** Nothing more is played. */
  isOver?(): boolean;
}

/** Names of their own each time: people of an earlier play are still there. */
const createPlayer = (clients: readonly Client[], { hands, atOnce }: Shape, tally: Tally) => {
  let plays = 0;
  return async (histories: readonly History[], { judge, isOver = () => false }: Judge): Promise<void> => {
    const rest = partsOf(histories, atOnce).values();
    const playRest = async (client: Client): Promise<void> => {
      for (const part of rest) {
        if (isOver()) return;
        const { played, accepted } = await playAll(client, part, { name: `h${plays++}`, hands });
        tally.accepted.push(...accepted);
        played.forEach(judge);
      }
    };
    await Promise.all(clients.map(playRest));
  };
};

type Player = ReturnType<typeof createPlayer>;

const note = (one: Played, tally: Tally, say: Trial['say']): void => {
  const { history, steps, broken } = one;
  tally.histories += 1;
  tally.operations += steps.length;
  tally.broken.push(...broken.map((sentence) => `seed ${history.seed}: ${sentence}`));
  if (isExplained(one, tally)) return;
  tally.unexplained.push(history);
  say(story(one));
};

const workers = ['track', 'identity', 'subscription'] as const;

const killed = (system: System): string[] => workers.flatMap((name) => system.processesOf(name));

interface Plan {
  /** Programs with a part exchanged. */
  instead?: Record<string, string>;
  histories: number;
  /** Played before the others. */
  aimed?: readonly History[];
  /** For the ingress. */
  env?: Record<string, string>;
  /** So many of them while workers are killed. */
  withKills?: number;
  /** So often, evenly over them; otherwise every four seconds. */
  killTimes?: number;
  /** A protection is off: ends with the first that can't be explained. */
  isControl?: boolean;
  /** Spoils the system while it is at work, until it is told to stop. */
  spoil?(system: System): () => Promise<void>;
}

/** One turn in ten fails, so that later requests overtake earlier ones. */
const asUsual = {
  track: 'track-patient',
  identity: 'identity-impatient',
  subscription: 'subscription-impatient',
};

const tryToShrink = async (trial: Trial, player: Player, tally: Tally): Promise<void> => {
  const [unexplained] = tally.unexplained;
  if (!unexplained) return;
  const smallest = await shrink(unexplained, async (histories) => {
    const failed: History[] = [];
    const judge = (one: Played): void => {
      if (!isExplained(one, tally)) failed.push(one.history);
    };
    await player(histories, { judge });
    return failed;
  });
  trial.say(`seed ${unexplained.seed}, as small as it still fails:\n${tell(smallest)}`);
};

const newTally = (): Tally => ({
  accepted: [],
  unexplained: [],
  openRanks: 0,
  broken: [],
  mostStates: 0,
  histories: 0,
  operations: 0,
});

interface Playing extends Pick<Plan, 'withKills' | 'killTimes' | 'isControl'> {
  say: Trial['say'];
  all: readonly History[];
}

/** Gives what ends it and tells how many were killed. */
const startKilling = (
  system: System,
  times: number | undefined,
  progress: () => number,
): (() => Promise<number>) => {
  if (times === undefined) return keepKilling(system, killed(system), 4_000);
  let isOver = false;
  const killing = killAlong(system, killed(system), times, () => (isOver ? 1 : progress()));
  return () => {
    isOver = true;
    return killing;
  };
};

const playBoth = async (
  system: System,
  player: Player,
  tally: Tally,
  { say, all, withKills = 0, killTimes, isControl = false }: Playing,
): Promise<number> => {
  const judging = {
    judge: (one: Played) => note(one, tally, say),
    isOver: () => isControl && tally.unexplained.length > 0,
  };
  const quiet = all.length - withKills;
  await player(all.slice(0, quiet), judging);
  if (withKills === 0) return 0;
  const killing = startKilling(system, killTimes, () => (tally.histories - quiet) / withKills);
  await player(all.slice(quiet), judging);
  return killing();
};

const shapes = { counting: few, quick: one, full: many };

const sizeOf = ({ counting, quick }: Trial): keyof typeof shapes =>
  counting ? 'counting' : quick ? 'quick' : 'full';

const attempt = async (trial: Trial, plan: Plan) => {
  const { histories, instead, aimed = [], env, isControl, spoil } = plan;
  const system = await trial.system({
    services: ['ingress', ...workers, 'export'],
    workers: { track: 3, identity: 2, subscription: 2 },
    instead: { ...asUsual, ...instead },
    ...(env && { processEnv: { ingress: env } }),
  });
  const first = trial.seedOr(Math.floor(Date.now() / 1000) % 1_000_000);
  const again = `npm run faults -- identity --seed ${first} --histories ${histories}`;
  if (!isControl) trial.say(`seeds ${first} to ${first + histories - 1}; again with: ${again}`);
  const tally = newTally();
  const size = isControl ? 'full' : sizeOf(trial);
  const shape = isControl ? one : shapes[size];
  const times = timesFound[size];
  const player = createPlayer(await clientsOf(system, shape.workspaces), shape, tally);
  const all = [
    ...aimed,
    ...Array.from({ length: times }, () => found).flatMap((some) => some.map((one) => ({ ...one }))),
    ...Array.from({ length: histories }, (_, i) => historyOf(first + i)),
  ];
  const say = isControl ? () => {} : trial.say;
  const began = performance.now();
  const stopSpoiling = spoil?.(system);
  const kills = await playBoth(system, player, tally, { ...plan, all, say });
  await stopSpoiling?.();
  const seconds = (performance.now() - began) / 1_000;
  if (!isControl) await tryToShrink(trial, player, tally);
  const figures = {
    histories: tally.histories,
    operations: tally.operations,
    kills,
    'histories a second': (tally.histories / seconds).toFixed(1),
    'most states of a search': tally.mostStates,
    unexplained: tally.unexplained.length,
    'with open ranks': tally.openRanks,
  };
  const broken = [...tally.broken, ...imbalance(await reconcile({ accepted: tally.accepted, ...system }))];
  if (isControl) await system.stop();
  return { figures, broken, unexplained: tally.unexplained };
};

/** What is forgotten at once protects nothing. */
const withoutTombstones = ({ mongo }: System): (() => Promise<void>) => {
  let isOver = false;
  const forgetting = (async () => {
    while (!isOver) {
      await mongo.collection('tombstones').deleteMany({});
      await sleep(5);
    }
  })();
  return async () => {
    isOver = true;
    await forgetting;
  };
};

/** Callers are told early that an identity request is queued, and go on; it is applied then. */
const lateIdentity = { RESULT_TIMEOUT_SECONDS: '1.5' };

const sixty = (history: History): History[] => Array.from({ length: 60 }, () => ({ ...history }));

/** Each of them in turn: without it some history must stay unexplained. */
const protections: Record<string, Pick<Plan, 'instead' | 'env' | 'aimed' | 'spoil'>> = {
  'the fence and the transaction': { instead: { identity: 'identity-naive' } },
  'the fence': { instead: { identity: 'identity-without-fence' } },
  tombstones: {
    instead: { track: 'track-patient-late', identity: 'identity-late' },
    env: lateIdentity,
    aimed: sixty(goingAlias),
    spoil: withoutTombstones,
  },
  'the wait for what was accepted before': { instead: { track: 'track-hasty' } },
  'since when a person has a contact': { instead: { track: 'track-patient-forgetful' } },
  'the wait for deletions': {
    instead: { track: 'track-patient-unnoticing', identity: 'identity-late' },
    env: lateIdentity,
    aimed: sixty(afterDeletion),
  },
  'the order of record': { instead: { track: 'track-flaky-unstamped-impatient' } },
};

/** `share`: of the random histories, while workers are killed. */
const plans: Record<keyof typeof shapes, { histories: number; share: number; killTimes?: number }> = {
  counting: { histories: 24, share: 1, killTimes: 4 },
  quick: { histories: 150, share: 1 / 3 },
  full: { histories: 2_000, share: 1 / 10 },
};

const sentence =
  'random histories of all that says who is who and what counts, workers killed meanwhile: one order of the accepted requests, in which whatever was sent after an answer comes after it, explains what is there';

export const identity: Fault = {
  name: 'identity',
  title: sentence,
  inGate: true,
  async run(trial): Promise<Findings> {
    const { histories: usual, share, ...kills } = plans[sizeOf(trial)];
    const histories = trial.histories ?? usual;
    const withKills = Math.ceil(histories * share);
    const { figures, broken, unexplained } = await attempt(trial, { histories, withKills, ...kills });
    const seeds = unexplained.map(({ seed }) => seed).join(', ');
    return {
      figures,
      broken: unexplained.length > 0 ? [...broken, `no order explains the seeds ${seeds}`] : broken,
    };
  },
  control: {
    without: 'each protection in turn; in a short trial the fence and the transaction',
    breaks: /^without any of these histories are unexplained/,
    async run(trial): Promise<Findings> {
      const names = Object.keys(protections).slice(0, trial.quick ? 1 : undefined);
      const figures: Findings['figures'] = {};
      for (const name of names) {
        const { figures: seen } = await attempt(trial, {
          ...protections[name],
          histories: 600,
          isControl: true,
        });
        figures[`without ${name}`] = `${seen.unexplained} of ${seen.histories} unexplained`;
        trial.say(`without ${name}: ${figures[`without ${name}`]}`);
        if (seen.unexplained === 0) return { figures, broken: [] };
      }
      return { figures, broken: [`without any of these histories are unexplained: ${names.join(', ')}`] };
    },
  },
};
