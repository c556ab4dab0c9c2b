// Every process is replaced by one of another version, in any order, behind a balancer and under load; then back again.
import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { services as allServices, anyFreePort } from '@roster/local-stack';
import { everyMs, openBalancer } from '../harness/balancer.ts';
import { openBook } from '../harness/book.ts';
import { type Client, createClient, isAccepted } from '../harness/client.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { few } from '../harness/identity-invariants.ts';
import { sendDuring } from '../harness/load.ts';
import { createPace } from '../harness/pace.ts';
import { judgeStops, replace, type Stop } from '../harness/stops.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';
import { type Stream, streamsOf } from './sigterm/streams.ts';

/** This version, when the command line names no other one to begin with. */
const current = fileURLToPath(new URL('../../../bundle', import.meta.url));

const pace = { perSecond: 60, hands: 12 };
const conversationsPerSecond = 5;

/** The balancer has heard of it after so long. */
const heardMs = 2 * everyMs;

/** A name that leads to the bundles of one version, then to those of another one. */
const openVersion = (first: string) => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-version-'));
  const name = join(dir, 'bundle');
  const leadTo = (folder: string): void => {
    symlinkSync(folder, join(dir, 'next'));
    renameSync(join(dir, 'next'), name);
  };
  leadTo(first);
  return { name, leadTo, close: () => rmSync(dir, { recursive: true, force: true }) };
};

interface How {
  drainSeconds: string;
  /** Every service, and back again where the versions differ or there is time; otherwise only the ingress. */
  everything: boolean;
}

/** In CI. */
const fewServices = ['ingress', 'track', 'identity', 'subscription', 'export'] as const;

/** The services that both versions have. */
const sizesOf = ({ quick, old = current }: Trial) => {
  const wanted = quick && old === current ? fewServices : allServices;
  const services = wanted.filter((name) => existsSync(join(old, `${name}.js`)));
  const workers = Object.fromEntries(services.map((name) => [name, name === 'monitor' ? 1 : 2]));
  return { services, workers: { ...workers, ingress: quick ? 3 : 10 } };
};

/** Gives the number of conversations; each request that is not accepted is noted, and ends its conversation. */
const converse = async (stream: Stream, { call }: Client, { over, refused }: Scene): Promise<number> => {
  const next = createPace(conversationsPerSecond);
  let n = 0;
  for (; !over(); n++) {
    await next();
    for (const asked of stream.conversation(n)) {
      const answer = await call({ ...asked, timeoutMs: 20_000 });
      if (isAccepted(answer)) continue;
      refused.push(`${stream.name} ${n}: ${asked.path} was answered ${answer.status}`);
      break;
    }
  }
  return n;
};

interface Scene {
  over(): boolean;
  refused: string[];
}

const replaceAll = async (system: System, names: readonly string[]): Promise<Stop[]> => {
  const stops: Stop[] = [];
  const dice = createDice(21);
  const order = names.map((name) => ({ name, place: dice.below(1_000) })).sort((a, b) => a.place - b.place);
  for (const { name } of order) {
    stops.push(await replace(system, name));
    if (name.startsWith('ingress')) await sleep(heardMs);
  }
  return stops;
};

/** The ingress processes have ports that the balancer knows. */
const openFleet = async (trial: Trial, bundle: string, drainSeconds: string) => {
  const sizes = sizesOf(trial);
  const ports = await Promise.all(Array.from({ length: sizes.workers.ingress }, anyFreePort));
  const places = ports.map((port, n) => [n === 0 ? 'ingress' : `ingress-${n + 1}`, { PORT: `${port}` }]);
  const system = await trial.system({
    ...sizes,
    bundle,
    env: { DRAIN_SECONDS: drainSeconds },
    processEnv: Object.fromEntries(places),
  });
  const balancer = await openBalancer(ports);
  trial.atEnd(balancer.close);
  const client = createClient({ baseUrl: balancer.url, apiKey: system.apiKey });
  trial.atEnd(() => client.close());
  return { services: sizes.services, system: { ...system, client, baseUrl: balancer.url } };
};

/** Load until the work is done, all of it by the balancer. */
const sendAll = async (system: System, streams: readonly Stream[], work: Promise<unknown>) => {
  const refused: string[] = [];
  let over = false;
  const working = work.finally(() => {
    over = true;
  });
  const book = openBook<Chapter>();
  const telling = sendDuring(system, book, tellStory(createDice(20), 60_000), pace, working);
  const scene: Scene = { over: () => over, refused };
  const counts = await Promise.all(
    streams.map((stream) => converse(stream, stream.by ?? system.client, scene)),
  );
  const unknown = await telling;
  const count = refused.length + unknown.length;
  if (unknown.length > 0) refused.push(`${unknown.length} of /users/track were not accepted`);
  return { book, counts, refused, count };
};

const attempt = async (trial: Trial, { drainSeconds, everything }: How): Promise<Findings> => {
  const folders = { old: trial.old ?? current, new: current };
  const version = openVersion(folders.old);
  trial.atEnd(version.close);
  const { services, system } = await openFleet(trial, version.name, drainSeconds);
  const streams = await streamsOf(system, services);
  const isBackToo = everything && (!trial.quick || trial.old !== undefined);
  const ways = isBackToo ? (['new', 'old'] as const) : (['new'] as const);
  const replaced = (everything ? services : ['ingress']).flatMap(system.processesOf);
  const stops: Stop[] = [];
  const replaceThem = async (): Promise<void> => {
    for (const way of ways) {
      version.leadTo(folders[way]);
      stops.push(...(await replaceAll(system, replaced)));
      trial.say(`all are of the ${way} version`);
    }
  };
  const { book, counts, refused, count } = await sendAll(system, streams, replaceThem());
  const late = await unfinished(system, 60_000);
  const { broken } = await judgeStory(system, book.accepted);
  if (refused.length === 0)
    for (const [i, stream] of streams.entries()) broken.push(...(await stream.judge(system, counts[i] ?? 0)));
  return {
    figures: {
      replaced: stops.length,
      'slowest stop ms': Math.max(...stops.map(({ ms }) => ms)),
      accepted: book.accepted.size,
      conversations: counts.reduce((sum, count) => sum + count, 0),
      'not accepted': count,
    },
    broken: [...late, ...broken, ...few(refused), ...judgeStops(stops)],
  };
};

export const rolling = faultOf(
  attempt,
  { drainSeconds: '3', everything: true },
  { drainSeconds: '0', everything: false },
  {
    name: 'rolling',
    inPairs: true,
    timing: /was answered 503|were not accepted/,
    title:
      'every process is replaced by one of another version behind a balancer, and back: no request is refused',
    without: 'the time in which an ingress that stops still takes requests',
    breaks: /not accepted|was answered/,
  },
);
