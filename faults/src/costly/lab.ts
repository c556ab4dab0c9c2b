// Measures what one request costs each process of a running system.
import { countDead, jobsInFlight } from '../harness/queue-state.ts';
import type { MailServer } from '../harness/smtp.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';
import { inUsualMsEach } from '../yardstick/usual-ms.ts';
import { type Bystander, openBystander } from './bystander.ts';
import { type Prepared, placeOf, prepare, type Sent, sendAll, soon, soonMs } from './exchange.ts';
import { type Genome, wireOf } from './genome.ts';
import { bars, type Cost, highest } from './judge.ts';
import {
  atRest,
  type ByName,
  blocksOf,
  cpuOf,
  datasetOf,
  dropDeliveries,
  each,
  endAtOnce,
  idleCpu,
  isDead,
  isTooMuch,
  lastStamp,
  minus,
  names,
  servers,
  services,
  skippedIn,
  untilSent,
} from './observe.ts';
import { forgetPeak, peakMbOf, residentMbOf } from './processes.ts';
import { pagePlaces } from './roads.ts';
import { createSender, type Reply, type Sender } from './send.ts';

/** So much CPU time of one request in one process tells enough. */
const giveUpMs = 1_000;
/** A process that computes longer than this after that is ended. */
const goesOnMs = 5_000;
/** Likewise on a road of messaging, where a large audience is no harm in itself. */
const giveUpRoadMs = 60_000;
const patienceMs = 45_000;
const smallBytes = 64 * 1024;
/** Background work comes in beats of seconds: a body that is held back is measured against a rest of about the same length. */
const heldBackMs = 3_500;
/** A single small request is lost in the noise. */
const smallTimes = 20;

const ofAQueue = /^\{roster:([^}]+)\}:\1:/;

/** Ends all services at once, forgets what is queued, and starts them again. */
const restart = async (system: System): Promise<void> => {
  await endAtOnce(system);
  for (const name of servers) if (!system.part(name).alive()) await system.part(name).start();
  const keys = (await system.redis.keys('{roster:*')).filter((key) => ofAQueue.test(key));
  for (let from = 0; from < keys.length; from += 500) await system.redis.unlink(keys.slice(from, from + 500));
  await Promise.all(services.map((name) => system.part(name).start()));
};

/** No measurement waits minutes for an overloaded worker. */
const recover = async (system: System): Promise<void> => {
  const isOver = !isDead(system) && !(await atRest(system, cpuOf(system), goesOnMs)).isGivenUp;
  if (!isOver) await restart(system);
};

const warmGenomes = (n: string): Genome[] => {
  const event = { external_id: { text: 'warm-{i}' }, name: { text: n }, time: { text: '2026-01-31' } };
  const events = { list: { object: event }, count: 5 };
  return [{ object: { events } }, { object: {} }].map((body) => ({ operation: 'users.track', body }));
};

/** Code that ran a few hundred times is compiled: the first requests of a process tell nothing. */
const warmUp = async (system: System, sender: Sender): Promise<void> => {
  for (let i = 0; i < 10; i++)
    await Promise.all(
      warmGenomes(`warm-${i}`).map((genome) =>
        sendAll(sender, genome, wireOf(genome, placeOf(genome.operation), {}), {}, 10),
      ),
    );
  await until(10_000, async () => (await jobsInFlight(system.redis)) === 0);
};

const unanswered: Sent = { reply: { status: 0, headers: {}, body: '' }, requests: 1 };

/** An overloaded worker does not answer: its CPU time tells enough. */
const answeredOrTooMuch = async (
  system: System,
  sending: Promise<Sent>,
  before: ByName,
  mostMs: number,
): Promise<Sent> => {
  let sent: Sent | undefined;
  const answered = sending.then((all) => {
    sent = all;
  });
  const isEnough = async () => sent !== undefined || isTooMuch(cpuOf(system), before, mostMs);
  await Promise.race([answered, until(patienceMs, isEnough, 100)]);
  return sent ?? unanswered;
};

/** The state of the system before a request. */
const look = async (system: System) => {
  const pids = each(services, (name) => system.part(name).pid);
  for (const pid of Object.values(pids)) forgetPeak(pid);
  await blocksOf(system, performance.now());
  return {
    dead: await countDead(system.redis),
    dataset: await datasetOf(system),
    stamp: await lastStamp(system),
    skipped: await skippedIn(system),
    resident: each(services, (name) => residentMbOf(pids[name] ?? 0)),
    cpu: cpuOf(system),
    began: performance.now(),
  };
};

/** A process that took no more than it had is not this request's doing. */
const peaks = (system: System, resident: ByName): ByName =>
  Object.fromEntries(
    services
      .map((name) => [name, peakMbOf(system.part(name).pid)] as const)
      .filter(([name, peak]) => peak > (resident[name] ?? 0) + 5),
  );

/** What a process spent, apart from what it spends when nothing is asked of it. */
const cpuWithout = (spent: ByName, idle: readonly ByName[], name: string, wallMs: number): number =>
  Math.max(0, (spent[name] ?? 0) - Math.max(...idle.map((each) => each[name] ?? 0)) * wallMs);

/** What stays in Redis of one request is lost among what comes and goes there: such ones are measured again, many at once. */
const needsMore = (genome: Genome, cost: Cost): boolean => {
  const isSmall = cost.bytes < smallBytes && !genome.senders;
  const isRemembered = genome.headers?.['idempotency-key'] !== undefined;
  return isSmall && (!cost.isTakenIn || isRemembered || cost.keptBytes > bars.kept.bytes);
};

const isHelped = (waitedMs: ByName): boolean => Object.values(waitedMs).every(Number.isFinite);

/** What others see of a request on a road of messaging, again and again until all of it is sent or may take longer. A refusal is over. */
const besides = async (
  system: System,
  bystander: Bystander,
  { operation }: Genome,
  { status }: Reply,
  before: ByName,
): Promise<ByName> => {
  if (operation === 'messages.schedule.create') await sleep(soonMs);
  const isRefused = status >= 400 && status < 500 && !pagePlaces[operation];
  if (isRefused) return {};
  let isSent = false;
  const sending = untilSent(system, before).then(() => {
    isSent = true;
  });
  const waited: ByName[] = [];
  do waited.push(await bystander.ask(() => isDead(system)));
  while (!isSent && waited.every(isHelped));
  await sending;
  await dropDeliveries(system);
  return highest(waited);
};

interface Tools {
  system: System;
  sender: Sender;
  bystander: Bystander;
  mail: MailServer;
  idle: readonly ByName[];
}

interface Once {
  cost: Cost;
  /** What has to be done before the next one. */
  needs?: 'recover' | 'restart';
}

const measureOnce = async (
  { system, sender, bystander, mail, idle }: Tools,
  genome: Genome,
  { tokens, refusedSteps }: Prepared,
  times: number,
): Promise<Once> => {
  const wire = wireOf(genome, placeOf(genome.operation), { ...tokens, t: '0', soon: soon() });
  const before = await look(system);
  mail.mostRecipients();
  const mostMs = genome.road ? giveUpRoadMs : giveUpMs * times * (genome.senders ?? 1);
  const sending = sendAll(sender, genome, wire, tokens, times);
  const { reply, requests } = await answeredOrTooMuch(system, sending, before.cpu, mostMs);
  const waitedMs = genome.road && (await besides(system, bystander, genome, reply, before.cpu));
  const rest = await atRest(system, before.cpu, mostMs);
  const wallMs = performance.now() - before.began;
  const spent = minus(rest.cpu, before.cpu);
  const background = genome.heldBack && !rest.isGivenUp ? [await idleCpu(system, heldBackMs, 1)] : [];
  const cpuMs = each(names, (name) => cpuWithout(spent, [...idle, ...background], name, wallMs) / requests);
  const kept = rest.isGivenUp ? 0 : (await datasetOf(system)) - before.dataset;
  const isLost = waitedMs && !isHelped(waitedMs);
  const cost: Cost = {
    status: reply.status,
    bytes: (wire.body?.length ?? 0) + wire.path.length,
    senders: genome.senders ?? 1,
    isTakenIn: (await lastStamp(system)) !== before.stamp,
    cpuMs: inUsualMsEach(cpuMs),
    blockMs: inUsualMsEach(await blocksOf(system, before.began)),
    peakMb: peaks(system, before.resident),
    keptBytes: Math.max(0, kept / requests),
    died: names.filter((name) => !system.part(name).alive()),
    deadLetters: Math.max(0, (await countDead(system.redis)) - before.dead),
    isSettled: rest.isSettled,
    refusedSteps,
    ...(waitedMs && {
      waitedMs,
      skipped: (await skippedIn(system)) - before.skipped,
      recipients: mail.mostRecipients(),
    }),
  };
  return { cost, ...(isLost ? { needs: 'restart' } : rest.isGivenUp && { needs: 'recover' }) };
};

export const openLab = async (system: System, pagesUrl: string, mail: MailServer) => {
  const sender = createSender({ baseUrl: system.baseUrl, pagesUrl, headers: system.credentials });
  await warmUp(system, sender);
  const bystander = await openBystander(system);
  await bystander.ask();
  const tools: Tools = { system, sender, bystander, mail, idle: [await idleCpu(system, 250)] };
  const made = new Set<string>();
  let measurements = 0;
  let needs: Once['needs'];

  const once = async (genome: Genome, prepared: Prepared, times: number): Promise<Cost> => {
    const measured = await measureOnce(tools, genome, prepared, times);
    needs = measured.needs;
    return measured.cost;
  };

  const measure = async (genome: Genome): Promise<Cost> => {
    if (needs) await (needs === 'restart' ? restart : recover)(system);
    needs = undefined;
    const n = `${(measurements++).toString(36)}x`;
    const prepared = await prepare(sender, genome, { n }, made);
    if (genome.before) await atRest(system, cpuOf(system), 30_000);
    const cost = await once(genome, prepared, 1);
    if (needs || genome.road || !needsMore(genome, cost)) return cost;
    const tokens = genome.before ? prepared.tokens : { ...prepared.tokens, n: `${n}r` };
    const again = await once(genome, { ...prepared, tokens }, smallTimes);
    return cost.isTakenIn ? { ...cost, keptBytes: again.keptBytes } : again;
  };
  const close = async (): Promise<void> => {
    sender.close();
    bystander.close();
    await endAtOnce(system);
  };
  return { measure, close };
};

export type Lab = Awaited<ReturnType<typeof openLab>>;
