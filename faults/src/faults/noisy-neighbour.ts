// T22: one workspace sends fifty times what another does, and more than can be worked off. The other one must hardly notice.
import { type Client, isAccepted, requestIdOf } from '../harness/client.ts';
import { compareDelays, type Delays, delaysOf } from '../harness/delays.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendStory } from '../harness/load.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { countRows } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';

const quietPerSecond = 20;

/** Fifty times as many events, five in a request. */
const loudPerRequest = 5;
const loudPerSecond = (50 * quietPerSecond) / loudPerRequest;

const eventsOf = (workspace: string, n: number, count = 1) => ({
  events: Array.from({ length: count }, (_, i) => ({
    external_id: `${workspace}-${n}`,
    name: `${workspace}-${n}-${i}`,
    time: '2025-06-01T12:00:00Z',
  })),
});

/** Every second one is about a person by an email without an owner: it waits for earlier requests of its own workspace, and for no others. */
const quietEvent = (name: string, n: number) => {
  const { events } = eventsOf(name, n);
  if (n % 2 === 0) return { events };
  return {
    events: events.map(({ external_id, ...event }) => ({ ...event, email: `${external_id}@example.com` })),
  };
};

const speak = (client: Client, name: string, seconds: number): Promise<Delays> =>
  delaysOf({ client, perSecond: quietPerSecond, seconds, bodyOf: (n) => quietEvent(name, n) });

/** Gives the ids of what was accepted: all of it. */
const shout = async (system: System, seconds: number): Promise<string[]> => {
  const chapters = Array.from({ length: loudPerSecond * seconds }, (_, n) => ({
    key: `loud-${n}`,
    body: { ...eventsOf('loud', n, loudPerRequest), attributes: [], purchases: [] },
  }));
  const { accepted } = await sendStory(system, chapters, { perSecond: loudPerSecond, hands: 64 });
  return [...accepted.values()];
};

const acceptedOf = ({ answers }: Delays): string[] => answers.filter(isAccepted).map(requestIdOf);

const stored = ({ mongo }: System, of: string): Promise<number> =>
  countRows(mongo, 'events', { name: { $regex: `^${of}-` } });

const inexact = async (system: System, of: string, wanted: number): Promise<string[]> => {
  const found = await stored(system, of);
  return found === wanted ? [] : [`${found} events of ${of} are stored, ${wanted} were accepted`];
};

/** How many events of the loud one wait when it falls silent, and what both of them have accepted. */
const talkAndShout = async (system: System, quiet: Client, seconds: number) => {
  const talking = speak(quiet, 'beside', seconds);
  const loud = await shout(system, seconds);
  const backlog = loud.length * loudPerRequest - (await stored(system, 'loud'));
  return { loud, backlog, beside: await talking };
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ instead: { track: 'track-at-its-limit', ...instead } });
  const quiet = await system.newWorkspace('quiet');
  await speak(quiet, 'warm', 1);
  const alone = await speak(quiet, 'alone', trial.quick ? 4 : 20);
  const { loud, backlog, beside } = await talkAndShout(system, quiet, trial.quick ? 5 : 30);
  const ended = await system.quiet(60_000);

  const compared = compareDelays(alone, beside);
  const ids = [...acceptedOf(alone), ...acceptedOf(beside), ...loud];
  const balance = await reconcile({ accepted: ids, ...system });
  const broken = [...compared.broken, ...imbalance(balance)];
  broken.push(...(await inexact(system, 'loud', loud.length * loudPerRequest)));
  broken.push(...(await inexact(system, 'beside', acceptedOf(beside).length)));
  if (backlog < 500) broken.push(`only ${backlog} waited: the workers could take it all`);
  if (!ended || balance.dead > 0)
    broken.push(`${balance.inFlight} in flight, ${balance.dead} dead at the end`);
  const figures = { accepted: balance.accepted, 'backlog of the loud one': backlog };
  return { figures: { ...figures, ...compared.figures }, broken };
};

export const noisyNeighbour = faultOf(attempt, [{}, { ingress: 'ingress-one-lane' }], {
  name: 'noisy-neighbour',
  alone: true,
  timing: /were applied within/,
  title: 'one workspace sends 50 times what another does, and too much: the other hardly waits longer',
  without: 'everybody in one lane',
  breaks: /99 of 100 were applied within/,
});
