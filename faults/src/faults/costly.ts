// A search for expensive requests: for each operation, from its schema, by measured CPU time and memory.
import { writeFileSync } from 'node:fs';
import { type Operation, operations } from '@roster/contract';
import { anyFreePort } from '@roster/local-stack';
import { type Found, foundBefore } from '../costly/found.ts';
import type { Genome } from '../costly/genome.ts';
import { climb, hunt, type Search } from '../costly/hunt.ts';
import { brokenBars, leastOf, worstShare } from '../costly/judge.ts';
import { type Lab, openLab } from '../costly/lab.ts';
import { services } from '../costly/observe.ts';
import { isMeasurable } from '../costly/processes.ts';
import { showTable } from '../costly/report.ts';
import { roads, seedsOfRoad } from '../costly/roads.ts';
import { seedsOf } from '../costly/seeds.ts';
import { type Measured, numbersOf, weaknesses, weaknessesOf } from '../costly/weaknesses.ts';
import { createDice } from '../harness/dice.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { openMailServer } from '../harness/smtp.ts';
import type { System } from '../harness/system.ts';

/** Services without their bounds. Export and integrations have none that the known weaknesses need. */
export const unbounded: Record<string, string> = Object.fromEntries(
  ['ingress', 'track', 'identity', 'subscription', 'scim', 'messaging', 'pages', 'sender'].map((name) => [
    name,
    `${name}-unbounded`,
  ]),
);

/** Asked for by their names: then nothing else is searched. */
const wanted = process.env.ROSTER_COSTLY_ROADS?.split(',');
const roadsHere = roads.filter(({ name }) => wanted?.includes(name) ?? true);
const isHere = ({ road }: Genome): boolean => !wanted || roadsHere.some(({ name }) => name === road);
const numbersHere = wanted
  ? roadsHere.flatMap(({ name }) => numbersOf.road(name))
  : weaknesses.map((_, i) => i + 1);

/** Seconds for the climb, and the operations that a short trial climbs. */
const full = { seconds: 480, roadSeconds: 90, steps: 200, operations: operations.map(({ id }) => id) };
const quick = {
  seconds: 25,
  roadSeconds: 30,
  steps: 6,
  operations: ['users.track', 'users.merge', 'users.delete', 'users.export.ids', 'scim.users.change'],
};

const huntMinutes = 30;
/** For the weakness of each road of messaging; how many there is time for must not decide. */
const roadHunt = { measures: 80, minutes: 20 };

const measureIn = async (lab: Lab, genome: Genome): Promise<Measured> => ({
  genome,
  cost: await lab.measure(genome),
});

const timesMore = 4;

/** What looks like too much is measured again, a few times: a neighbour on the machine only ever adds. */
const confirmed = async (lab: Lab, { genome, cost }: Measured): Promise<Measured> => {
  let least = cost;
  for (let n = 0; n < timesMore && brokenBars(least).length > 0; n++)
    least = leastOf([least, await lab.measure(genome)]);
  return { genome, cost: least };
};

const sayWorst = (trial: Trial, { genome, cost }: Measured): void => {
  if (worstShare(cost) > 1)
    trial.say(`${genome.operation}, ${genome.title}: ${brokenBars(cost)[0]?.sentence}`);
};

interface Bounds {
  endsAt: number;
  measures?: number;
}

const searchIn = (
  trial: Trial,
  lab: Lab,
  seeds: readonly Genome[],
  { endsAt, measures = Number.POSITIVE_INFINITY }: Bounds,
): Search => {
  let left = measures;
  return {
    seeds,
    dice: createDice(trial.seedOr(1)),
    measure(genome) {
      left -= 1;
      return measureIn(lab, genome);
    },
    isOver: () => left <= 0 || performance.now() > endsAt,
  };
};

/** The worst requests that come from these seeds, the worst of all measured again. */
const searchFrom = async (
  trial: Trial,
  lab: Lab,
  seeds: readonly Genome[],
  endsAt: number,
): Promise<Measured[]> => {
  const measures = seeds.length + (trial.quick ? quick : full).steps;
  const [first, ...rest] = await climb(searchIn(trial, lab, seeds, { endsAt, measures }));
  if (!first) return [];
  const sure = await confirmed(lab, first);
  sayWorst(trial, sure);
  return [sure, ...rest];
};

/** What writes can do more harm than what reads, and has more to be tried. */
const weightOf = (id: string): number => {
  const found = operations.find((row) => row.id === id);
  if (found?.entries) return 4;
  return found?.request.body ? 2 : 1;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Each operation has its part of the time that is left. */
const searchAll = async (trial: Trial, lab: Lab): Promise<Measured[][]> => {
  const { seconds, operations: ids } = trial.quick ? quick : full;
  const end = performance.now() + seconds * 1_000;
  const found: Measured[][] = [];
  for (const [i, id] of ids.entries()) {
    const now = performance.now();
    const part = weightOf(id) / sum(ids.slice(i).map(weightOf));
    const seeds = operations.filter((row) => row.id === id).flatMap(seedsOf);
    const some = trial.quick ? seeds.slice(0, 4) : seeds;
    found.push(await searchFrom(trial, lab, some, now + Math.max(0, end - now) * part));
  }
  return found;
};

const searchRoads = async (trial: Trial, lab: Lab): Promise<Measured[][]> => {
  const { roadSeconds } = trial.quick ? quick : full;
  const found: Measured[][] = [];
  for (const road of roadsHere) {
    trial.say(`the road of ${road.name}`);
    found.push(await searchFrom(trial, lab, seedsOfRoad(road), performance.now() + roadSeconds * 1_000));
  }
  return found;
};

/** An operation of each queue in turn, those first that can do much. */
const inTurn = (): Operation[] => {
  const weighty = operations.toSorted((a, b) => weightOf(b.id) - weightOf(a.id));
  const rankOf = (one: Operation): number => weighty.filter(({ queue }) => queue === one.queue).indexOf(one);
  return weighty.toSorted((a, b) => rankOf(a) - rankOf(b));
};

/** Without what was found before, until all of these weaknesses were seen. */
const huntFor = (trial: Trial, lab: Lab, numbers: number[], seeds: Genome[], bounds: Bounds) =>
  hunt({
    ...searchIn(trial, lab, seeds, bounds),
    numbers,
    confirm: (measured) => confirmed(lab, measured),
    onSeen({ genome }, numbers) {
      const names = numbers.map((number) => weaknesses[number - 1]?.name).join(', ');
      trial.say(`${names}: ${genome.operation}, ${genome.title ?? 'found by the search'}`);
    },
  });

const inMinutes = (minutes: number): number => performance.now() + minutes * 60_000;

const huntOperations = (trial: Trial, lab: Lab): Promise<Measured[]> =>
  huntFor(trial, lab, numbersOf.oneRequest, inTurn().flatMap(seedsOf), { endsAt: inMinutes(huntMinutes) });

/** Each by itself, from what callers usually send. */
const huntRoads = async (trial: Trial, lab: Lab): Promise<Measured[]> => {
  const { measures, minutes } = roadHunt;
  const found: Measured[] = [];
  for (const road of roadsHere) {
    const bounds = { measures, endsAt: inMinutes(minutes) };
    found.push(...(await huntFor(trial, lab, numbersOf.road(road.name), seedsOfRoad(road), bounds)));
  }
  return found;
};

/** Requests that were found before, the destructive ones last; without those that need not be seen any more. */
const tryFound = async (
  trial: Trial,
  measure: (genome: Genome) => Promise<Measured>,
  isWanted: (found: Found, measured: readonly Measured[]) => boolean = () => true,
): Promise<Measured[]> => {
  const all = foundBefore.filter((found) => isHere(found) && !(trial.quick && found.isLong));
  const order = [3, 4, 5, 6, 2, 1, ...roads.flatMap(({ name }) => numbersOf.road(name))];
  const measured: Measured[] = [];
  for (const found of all.toSorted((a, b) => order.indexOf(a.weakness) - order.indexOf(b.weakness))) {
    if (!isWanted(found, measured)) continue;
    const { weakness: _, isLong: __, ...genome } = found;
    const one = await measure(genome);
    measured.push(one);
    sayWorst(trial, one);
  }
  return measured;
};

const numbersIn = (measured: readonly Measured[]): Set<number> => new Set(measured.flatMap(weaknessesOf));

/** One request for each weakness. */
const firstOfEach = (measured: readonly Measured[]): Measured[] => {
  const shown = weaknesses.map((_, i) => measured.find((one) => weaknessesOf(one).includes(i + 1)));
  return shown.filter((one) => one !== undefined);
};

const writeReport = (all: readonly Measured[][]): void => {
  if (process.env.ROSTER_COSTLY) writeFileSync(process.env.ROSTER_COSTLY, JSON.stringify(all, null, 1));
};

const changeDemo = ({ mongo }: System, $set: object) =>
  mongo.collection<{ _id: string }>('workspaces').updateOne({ _id: 'demo' }, { $set });

const openLabFor = async (trial: Trial, instead: Record<string, string>): Promise<Lab> => {
  const pagesPort = await anyFreePort();
  const mail = await trial.opened(openMailServer());
  // Rates are not on trial.
  const env = { PAGES_PORT: String(pagesPort), PAGES_PER_MINUTE: '100000', ROSTER_CREDENTIAL_SMTP: mail.url };
  const system = await trial.system({ services, instead, env });
  // A bound as well, but one that a workspace sets.
  if (instead === unbounded) await changeDemo(system, { 'track.max_profile_bytes': 12 * 1024 * 1024 });
  await changeDemo(system, { 'apps.0.channels': { email: { smtp: { env: 'ROSTER_CREDENTIAL_SMTP' } } } });
  return trial.opened(openLab(system, `http://127.0.0.1:${pagesPort}`, mail));
};

const sentences = (measured: readonly Measured[]): string[] =>
  measured.flatMap(({ genome, cost }) =>
    brokenBars(cost)
      .slice(0, 1)
      .map(({ sentence }) => `${genome.operation} (${genome.title}): ${sentence}`),
  );

const attempt = async (trial: Trial): Promise<Findings> => {
  const lab = await openLabFor(trial, {});
  const known = await tryFound(trial, async (genome) => confirmed(lab, await measureIn(lab, genome)));
  const ofOperations = wanted ? [] : await searchAll(trial, lab);
  const found = [...ofOperations, ...(await searchRoads(trial, lab))];
  writeReport([known, ...found]);
  const worst = [...known, ...found.flatMap((all) => all.slice(0, 1))];
  showTable(worst);
  const shares = worst.map(({ cost }) => worstShare(cost));
  return {
    figures: {
      operations: ofOperations.length,
      roads: roadsHere.length,
      'worst share of a bar %': 100 * Math.max(0, ...shares),
    },
    broken: sentences(worst),
  };
};

/** Without bounds it has to find each known weakness: a short trial among what was found before, a full one by itself. */
const control = async (trial: Trial): Promise<Findings> => {
  const lab = await openLabFor(trial, unbounded);
  const ofRoads = trial.quick && !wanted ? [] : await huntRoads(trial, lab);
  const isUnseen = ({ weakness }: Found, seen: readonly Measured[]): boolean =>
    !numbersIn([...ofRoads, ...seen]).has(weakness);
  const ofOneRequest =
    trial.quick || wanted
      ? await tryFound(trial, (genome) => measureIn(lab, genome), isUnseen)
      : await huntOperations(trial, lab);
  const measured = [...ofRoads, ...ofOneRequest];
  showTable(firstOfEach(measured));
  const seen = numbersIn(measured);
  const missed = numbersHere.flatMap((n) => (seen.has(n) ? [] : (weaknesses[n - 1]?.name ?? [])));
  return {
    figures: { 'weaknesses found': [...seen].sort().join(' '), missed: missed.join('; ') || 'none' },
    broken: missed.length === 0 ? sentences(measured) : [],
  };
};

export const costly: Fault = {
  name: 'costly',
  onlyByName: true,
  alone: true,
  limitMinutes: 70,
  title: 'a search for expensive requests finds none',
  skip: () => (isMeasurable() ? undefined : 'this kernel does not tell the CPU time of threads'),
  run: attempt,
  control: {
    without: 'no bounds on the work of a request',
    breaks: /ms of CPU|blocked|MB|ended|died|stay in Redis|others got nothing|recipients/,
    run: control,
  },
};
