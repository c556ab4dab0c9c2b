/** Histories on the real system: all are played, and each is judged. */
import { createCaller } from '../harness/caller.ts';
import { keepKilling, killAlong } from '../harness/chaos.ts';
import type { Client } from '../harness/client.ts';
import type { Findings, Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System, SystemOptions } from '../harness/system.ts';
import { eachOf, inParts } from '../harness/wait.ts';
import { explain } from './explain.ts';
import { type History, initialOf } from './history.ts';
import { type Played, playAll } from './play.ts';
import { shrink } from './shrink.ts';
import { tell } from './tell.ts';

/**
 * Each workspace plays histories of its own, so a request that waits for its whole workspace waits for few of them. `hands`: histories of a
 * workspace under way at the same time. `atOnce`: histories that one export looks at.
 */
export interface Shape {
  workspaces: number;
  hands: number;
  atOnce: number;
}

interface Tally {
  accepted: string[];
  /** Those that no search can judge. */
  long: Played[];
  unexplained: History[];
  /** Histories that have an explanation only where any of the people who share a contact may have been changed last. */
  openRanks: number;
  broken: string[];
  mostStates: number;
  histories: number;
  operations: number;
}

const isExplained = ({ history, steps, seen }: Played, tally: Tally): boolean => {
  if (history.isLong) return true;
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

interface Judge {
  judge(played: Played): void;
  /** Nothing more is played. */
  isOver?(): boolean;
  beforeLook?(): Promise<void>;
}

/** Names of their own each time: people of an earlier play are still there. */
const createPlayer = (clients: readonly Client[], { hands, atOnce }: Shape, tally: Tally) => {
  let plays = 0;
  return async (
    histories: readonly History[],
    { judge, isOver = () => false, ...pausing }: Judge,
  ): Promise<void> => {
    const rest = inParts(histories, atOnce).values();
    const playRest = async (client: Client): Promise<void> => {
      for (const part of rest) {
        if (isOver()) return;
        const playing = { name: `h${plays++}`, hands, ...pausing };
        const { played, accepted } = await playAll(client, part, playing);
        tally.accepted.push(...accepted);
        played.forEach(judge);
      }
    };
    await Promise.all(clients.map(playRest));
  };
};

type Player = ReturnType<typeof createPlayer>;

/** A long run says now and then that it goes on. */
const saidEvery = 1_000;

const note = (one: Played, tally: Tally, say: Trial['say']): void => {
  const { history, steps, broken } = one;
  tally.histories += 1;
  if (tally.histories % saidEvery === 0) say(`${tally.histories} histories played`);
  tally.operations += steps.length;
  tally.broken.push(...broken.map((sentence) => `seed ${history.seed}: ${sentence}`));
  if (history.isLong) tally.long.push(one);
  if (isExplained(one, tally)) return;
  tally.unexplained.push(history);
  say(story(one));
};

const workers = ['track', 'identity', 'subscription'] as const;

const killed = (system: System): string[] => workers.flatMap(system.processesOf);

export interface Plan {
  /** Each once, in this order. */
  histories: readonly History[];
  shape: Shape;
  /** Programs with a part exchanged. */
  instead?: Record<string, string>;
  services?: string[];
  /** For the ingress. */
  env?: Record<string, string>;
  processEnv?: SystemOptions['processEnv'];
  preload?: SystemOptions['preload'];
  /** So many of them, the last, while workers are killed. */
  withKills?: number;
  /** So often, evenly over them; otherwise every four seconds. */
  killTimes?: number;
  /** So many requests wait in front of them; the workers of track are stopped until all histories are sent. */
  behind?: number;
  /** A protection is off: ends with the first that can't be explained. */
  isControl?: boolean;
  /** One that can't be explained is made as small as it still can't be. */
  shrinks?: boolean;
  /** What else is wrong when everything has been played, with the long histories. */
  atRest?(system: System, long: readonly Played[]): Promise<string[]>;
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

const backlogLimitMs = 120_000;

/** Gives what lets the workers begin, and waits until they are done. */
const pileUp = async (system: System, requests: number, tally: Tally): Promise<() => Promise<void>> => {
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  const caller = createCaller(system.client, 'crowd');
  const all = Array.from({ length: requests }, (_, n) => n);
  await eachOf(all, 100, async (n) => {
    await caller.post('/users/track', { attributes: [{ external_id: `crowd-${n % 5_000}`, step: n }] });
  });
  tally.accepted.push(...caller.accepted);
  return async () => {
    await Promise.all(system.workers.map((worker) => system.part(worker).start()));
    if (!(await system.quiet(backlogLimitMs)))
      tally.broken.push(`not everything was applied within ${backlogLimitMs / 1_000} s`);
  };
};

const playBoth = async (
  system: System,
  player: Player,
  tally: Tally,
  { say, histories, withKills = 0, killTimes, behind, isControl = false }: Plan & Pick<Trial, 'say'>,
): Promise<number> => {
  const judging = {
    judge: (one: Played) => note(one, tally, say),
    isOver: () => isControl && tally.unexplained.length > 0,
    ...(behind && { beforeLook: await pileUp(system, behind, tally) }),
  };
  const quiet = histories.length - withKills;
  await player(histories.slice(0, quiet), judging);
  if (withKills === 0) return 0;
  const playing = player(histories.slice(quiet), judging);
  const progress = (): number => (tally.histories - quiet) / withKills;
  const kills = await (killTimes
    ? killAlong(system, killed(system), killTimes, progress, playing)
    : keepKilling(system, killed(system), 4_000, playing));
  await playing;
  return kills;
};

export const playTrial = async (trial: Trial, plan: Plan): Promise<Findings & Pick<Tally, 'unexplained'>> => {
  const { instead, env, processEnv, preload, shape, isControl = false, shrinks = false, spoil } = plan;
  const system = await trial.system({
    services: plan.services ?? ['ingress', ...workers, 'export'],
    workers: { track: 3, identity: 2, subscription: 2 },
    instead: { ...asUsual, ...instead },
    processEnv: { ...processEnv, ...(env && { ingress: env }) },
    ...(preload && { preload }),
  });
  const tally: Tally = {
    ...{ accepted: [], long: [], unexplained: [], broken: [] },
    ...{ openRanks: 0, mostStates: 0, histories: 0, operations: 0 },
  };
  const player = createPlayer(await clientsOf(system, shape.workspaces), shape, tally);
  const say = isControl ? () => {} : trial.say;
  const began = performance.now();
  const stopSpoiling = spoil?.(system);
  const kills = await playBoth(system, player, tally, { ...plan, say });
  await stopSpoiling?.();
  const seconds = (performance.now() - began) / 1_000;
  if (shrinks) await tryToShrink(trial, player, tally);
  const figures = {
    histories: tally.histories,
    operations: tally.operations,
    kills,
    'histories a second': (tally.histories / seconds).toFixed(1),
    'most states of a search': tally.mostStates,
    unexplained: tally.unexplained.length,
    'with open ranks': tally.openRanks,
  };
  const broken = [...tally.broken, ...((await plan.atRest?.(system, tally.long)) ?? [])];
  broken.push(...imbalance(await reconcile({ accepted: tally.accepted, ...system })));
  if (isControl) await system.stop();
  return { figures, broken, unexplained: tally.unexplained };
};
