// Random schedules of what happens to a table, to the settings and to the process of an integration: in the end each row counts once, and as it is.
import { startMongo } from '@roster/local-stack';
import { openStore } from '@roster/store';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { within } from '../harness/wait.ts';
import { type Schedule, scheduleOf, servers } from './sync-schedules/acts.ts';
import { openPlaces, type Place } from './sync-schedules/database.ts';
import { createPlayer, type Played, type Without } from './sync-schedules/play.ts';

const sizes = { full: 10_000, quick: 24, control: 600 };

/** One class of mistakes ends many schedules wrong. */
const mostWrong = 20;

/** Schedules at once on each server: most of one is waiting. */
const places = { postgresql: 8, mysql: 4 };

/** Of one schedule: far beyond what a busy machine needs. */
const limitMs = 600_000;

/** A transaction may wait on a busy machine. */
const patient = { patienceMs: limitMs, limitMs };

const secret = 'a secret of this trial, which nobody knows';

const openSystem = async (trial: Trial) => {
  const mongo = await startMongo({ dir: trial.folder(), transactionSeconds: 60 });
  trial.atEnd(() => mongo.stop());
  const store = await trial.opened(
    openStore({ url: mongo.url, appName: 'schedules', secret, transactions: patient, ensureIndexes: true }),
  );
  const opened = servers.map(async (name) => ({
    name,
    ...(await trial.opened(openPlaces(name, trial.folder(), places[name]))),
  }));
  return { store, servers: await Promise.all(opened) };
};

const firstSeedOf = (trial: Trial): number => trial.seedOr(Math.floor(Date.now() / 1000) % 1_000_000);

type System = Awaited<ReturnType<typeof openSystem>>;

interface Found {
  schedule: Schedule;
  played: Played;
}

const seedsOf = (trial: Trial, usual = sizes[trial.quick ? 'quick' : 'full']): number[] => {
  const { histories = usual } = trial;
  const first = firstSeedOf(trial);
  trial.say(
    `seeds ${first} to ${first + histories - 1}; again with: npm run faults -- sync-schedules --seed ${first} --histories ${histories}`,
  );
  return Array.from({ length: histories }, (_, n) => first + n);
};

/** Until all are played, or as many as are asked for have ended wrong. */
const playAll = async (
  trial: Trial,
  system: System,
  { schedules, without, enough }: { schedules: readonly Schedule[]; without?: Without; enough: number },
): Promise<{ found: Found[]; wrong: Found[] }> => {
  const play = createPlayer(system.store, trial.say);
  const [found, wrong]: [Found[], Found[]] = [[], []];
  const playOne = async (place: Place, schedule: Schedule): Promise<void> => {
    const played = await within(limitMs, `schedule ${schedule.seed}`, play(place, schedule, without)).catch(
      (error: Error): Played => ({ wrong: [error.stack ?? error.message], syncs: 0, deaths: 0 }),
    );
    found.push({ schedule, played });
    if (found.length % 100 === 0) trial.say(`${found.length} schedules`);
    if (played.wrong.length === 0) return;
    wrong.push({ schedule, played });
    if (!without)
      trial.say(`seed ${schedule.seed}: ${played.wrong.slice(0, 3).join('; ')}\n${told(schedule)}`);
  };
  const playOn = async ({ name, places }: System['servers'][number]): Promise<void> => {
    const own = schedules.filter(({ plan }) => plan.server === name).values();
    const hand = async (place: Place): Promise<void> => {
      for (const schedule of own) {
        if (wrong.length >= enough) return;
        await playOne(place, schedule);
      }
    };
    await Promise.all(places.map(hand));
  };
  await Promise.all(system.servers.map(playOn));
  return { found, wrong };
};

const attempt = async (trial: Trial): Promise<Findings> => {
  const schedules = seedsOf(trial).map(scheduleOf);
  const { found, wrong } = await playAll(trial, await openSystem(trial), { schedules, enough: mostWrong });
  const sum = (what: 'syncs' | 'deaths'): number => found.reduce((all, { played }) => all + played[what], 0);
  const names = wrong.map(({ schedule }) => schedule.seed).join(', ');
  return {
    figures: { schedules: found.length, syncs: sum('syncs'), deaths: sum('deaths') },
    broken: wrong.length === 0 ? [] : [`schedules end wrong: ${names}, such as ${wrong[0]?.played.wrong[0]}`],
  };
};

const told = ({ plan, acts }: Schedule): string =>
  [plan, ...acts].map((one) => `    ${JSON.stringify(one).slice(0, 200)}`).join('\n');

/** Each protection, and the schedules that may need it. */
const protections: Readonly<Record<Without, (schedule: Schedule) => boolean>> = {
  'the transactions that are open': ({ plan, acts }) =>
    plan.mode === 'incremental' && plan.lookBackSeconds === 0 && acts.some((act) => act.do === 'hold'),
  'what each row said last': ({ plan, acts }) =>
    plan.mode === 'incremental' &&
    (plan.isCoarse || acts.some((act) => act.do === 'map' || act.do === 'show')),
};

const isWithout = (name: string): name is Without => name in protections;

export const syncSchedules: Fault = {
  name: 'sync-schedules',
  title:
    'random schedules of writes, transactions that are held and prepared, changed columns, wrong settings, pauses and deaths of the process: in the end people equal the rows, and each row is counted once',
  limitMinutes: 240,
  run: attempt,
  control: {
    without: 'each of: the transactions that are open, what each row said last',
    breaks: /^without any of these schedules end wrong/,
    async run(trial) {
      const figures: Findings['figures'] = {};
      const [seeds, system] = [seedsOf(trial, sizes.control), await openSystem(trial)];
      const names = Object.keys(protections).filter(isWithout);
      for (const without of names) {
        const schedules = seeds.map(scheduleOf).filter(protections[without]);
        const { found, wrong } = await playAll(trial, system, { schedules, without, enough: 1 });
        figures[`without ${without}`] =
          `${wrong[0]?.played.wrong[0]} with seed ${wrong[0]?.schedule.seed}, after ${found.length} schedules`;
        if (wrong.length === 0) return { figures, broken: [] };
      }
      return { figures, broken: [`without any of these schedules end wrong: ${names.join(', ')}`] };
    },
  },
};
