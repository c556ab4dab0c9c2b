// T17: requests that take their worker down, each in another way, and what the others notice of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { services } from '@roster/local-stack';
import { insist } from '../harness/book.ts';
import { watchEnds } from '../harness/chaos.ts';
import { type Call, isAccepted, requestIdOf } from '../harness/client.ts';
import { type Fault, type Findings, type Trial, together } from '../harness/fault.ts';
import { type Dead, deadLetters } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { eachOf, sleep, until } from '../harness/wait.ts';
import { namesOf, people, type Work, works } from './works.ts';

/** What a culprit does: see mains/parts/culprits.ts. The code is what its dead letter says. */
const codes = {
  blocks: 'blocked',
  eats: 'out_of_memory',
  lingers: 'transaction_too_long',
  exits: 'exit',
  dies: 'crash',
  throws: 'Error',
} as const;

type Kind = keyof typeof codes;

type Service = keyof typeof works;

interface Case {
  service: Service;
  kind: Kind;
}

const of = (kind: Kind, ...services: Service[]): Case[] => services.map((service) => ({ service, kind }));

/** Those that work requests off, in the order of the stack. */
const everywhere = services.filter((service): service is Service => service in works);

/**
 * A system for each round: a service meets one culprit in it, because a process that dies often is started again more and more slowly. Each kind and
 * each service once; the longest first.
 */
const quickRounds: Case[][] = [
  [...of('blocks', 'subscription'), ...of('exits', 'identity')],
  [...of('dies', 'track'), ...of('exits', 'scim', 'integrations')],
  [...of('eats', 'track'), ...of('blocks', 'export')],
  [...of('lingers', 'track'), ...of('throws', 'identity')],
];

const allRounds: Case[][] = [
  of('blocks', ...everywhere),
  of('eats', ...everywhere),
  of('lingers', 'track', 'identity', 'subscription'),
  of('exits', ...everywhere),
  of('dies', ...everywhere),
  of('throws', 'track', 'identity', 'subscription'),
];

const neighbours = 60;
/** Their names begin with it. */
const good = 'good';
const withinMs = 30_000;
const mostEnds = 4;

const isThere = async (system: System, culprit: string): Promise<boolean> =>
  (await deadLetters(system.redis)).some(({ id }) => id === culprit);

/** Neighbours before, with and after the culprit. */
const play = async (system: System, { service, kind }: Case) => {
  const work: Work = works[service];
  const client = (await work.by?.(system)) ?? system.client;
  const accepted: string[] = [];
  let calls = 0;
  const send = async (asked: Call): Promise<void> => {
    const answer = await insist(client, { ...asked, idempotencyKey: `${service}-${calls++}` });
    if (!isAccepted(answer)) throw new Error(`${asked.path} was answered ${answer.status}: ${answer.body}`);
    accepted.push(requestIdOf(answer));
  };
  const post = (name: string): Promise<void> => send(work.request(name));
  const names = namesOf(good, neighbours);
  if (work.isAboutPeople) await send(people(names));
  if (!(await system.quiet(20_000))) throw new Error('the neighbours were not there in time');
  const early = eachOf(names.slice(0, neighbours / 2), 10, post);
  await sleep(20);
  const sent = performance.now();
  const sending = client.call({ ...work.request(`culprit-${kind}`), timeoutMs: 2 * withinMs });
  const others = Promise.all([early, eachOf(names.slice(neighbours / 2), 10, post)]);
  const culprit = work.isNowOrNever ? '' : requestIdOf(await sending);
  const told =
    work.isNowOrNever || (await until(withinMs, () => isThere(system, culprit), 100)) !== undefined;
  const letterMs = told ? performance.now() - sent : undefined;
  await others;
  const ended = told && (await system.quiet(withinMs));
  await sending;
  if (!work.isNowOrNever) accepted.push(culprit);
  /** Both from the moment at which the culprit was sent. */
  return { culprit, accepted, letterMs, othersMs: ended ? performance.now() - sent : undefined };
};

type Played = Awaited<ReturnType<typeof play>>;

const judgeLetters = (letters: readonly Dead[], { kind }: Case, { culprit }: Played): string[] => {
  const own = letters.filter(({ id }) => id === culprit);
  const broken = own.length === 1 ? [] : [`${own.length} dead letters of it`];
  for (const { code, reason } of own)
    if (code !== codes[kind]) broken.push(`its dead letter says ${code}: ${reason}`);
  return broken;
};

/** A log line is written a little after what it is about. */
const judgeLog = async ({ dir }: System, { service, kind }: Case): Promise<string[]> => {
  const log = join(dir, 'logs', `${service}.log`);
  const isTold = async (): Promise<boolean> => readFileSync(log, 'utf8').includes(`"code":"${codes[kind]}"`);
  return (await until(5_000, isTold, 100)) !== undefined ? [] : [`no line of the log says ${codes[kind]}`];
};

const late = (what: string, ms: number | undefined): string[] =>
  ms !== undefined && ms <= withinMs
    ? []
    : [`${what} took longer than ${withinMs / 1_000} s (${ms?.toFixed(0)} ms)`];

const judge = async (system: System, one: Case, played: Played, ends: number): Promise<string[]> => {
  const work: Work = works[one.service];
  const broken = [
    ...(await work.judge(system, good, neighbours)),
    ...late('the work of the others', played.othersMs),
    ...(ends > mostEnds ? [`${ends} processes ended of it, not ${mostEnds} at most`] : []),
  ];
  // Its caller has an answer, and it is not tried again: it is no dead letter, only a line of the log.
  if (work.isNowOrNever) broken.push(...(await judgeLog(system, one)));
  else {
    broken.push(...late('its dead letter', played.letterMs));
    broken.push(...judgeLetters(await deadLetters(system.redis), one, played));
    broken.push(...imbalance(await reconcile({ accepted: played.accepted, ...system })));
  }
  return broken.map((sentence) => `${one.service} ${one.kind}: ${sentence}`);
};

const env = { RESULT_TIMEOUT_SECONDS: '1' };

/** Those that meet a culprit, and those that lay down or read what the trial judges. */
const servicesOf = (round: readonly Case[]): string[] => {
  const met = round.map(({ service }) => service);
  return [...new Set(['ingress', 'track', ...met, ...(met.includes('subscription') ? ['export'] : [])])];
};

const culpritsOf = (services: readonly string[]): Record<string, string> =>
  Object.fromEntries(services.filter((name) => name !== 'ingress').map((name) => [name, `${name}-culprits`]));

const playRound = async (
  trial: Trial,
  round: readonly Case[],
  instead: Record<string, string>,
): Promise<Findings> => {
  const services = servicesOf(round);
  const programs = { ...culpritsOf(services), ...instead };
  const system = await trial.system({ services, env, supervise: true, instead: programs });
  const findings: Findings = { figures: {}, broken: [] };
  let letters = 0;
  for (const one of round) {
    const watched = watchEnds(system, one.service);
    const played = await play(system, one);
    const ends = watched.stop();
    findings.broken.push(...(await judge(system, one, played, ends)));
    const { isNowOrNever }: Work = works[one.service];
    const ms = (isNowOrNever ? played.othersMs : played.letterMs) ?? Number.NaN;
    const figure = `${(ms / 1_000).toFixed(1)} s, ${ends} ends`;
    findings.figures[`${one.service} ${one.kind}`] = figure;
    trial.say(`${one.service} ${one.kind}: ${figure}`);
    if (!isNowOrNever) letters += 1;
  }
  const dead = (await deadLetters(system.redis)).length;
  if (dead !== letters) findings.broken.push(`${dead} dead letters for ${letters} culprits`);
  await system.stop();
  return findings;
};

/** Each round has a system of its own, and waits for most of the time. */
const roundsAtOnce = 2;

const attempt = async (
  trial: Trial,
  rounds: readonly (readonly Case[])[],
  instead: Record<string, string> = {},
): Promise<Findings> => {
  const all: Findings[] = [];
  await eachOf(rounds, roundsAtOnce, async (round) => {
    all.push(await playRound(trial, round, instead));
  });
  return together(all);
};

export const deadly: Fault = {
  name: 'deadly',
  inPairs: true,
  timing: / took longer than \d+ s/,
  title:
    'a request that blocks, eats, lingers, exits, dies or throws: its dead letter within 30 s, the others applied',
  run: (trial) => attempt(trial, trial.quick ? quickRounds : allRounds),
  control: {
    without: 'evidence that outlives a worker',
    breaks: /track blocks: its dead letter took longer/,
    run: (trial) =>
      attempt(trial, [[{ service: 'track', kind: 'blocks' }]], { track: 'track-culprits-forgetful' }),
  },
};
