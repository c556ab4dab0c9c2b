/** `roster status`: is it up, and does anything wait? */
import type { WorkspaceSettings } from '@roster/access';
import {
  allQueues,
  growing,
  parkedSentence,
  readEach,
  readGauge,
  readParked,
  readSecretNotes,
  readStarved,
  type SecretNote,
  starvedSentence,
} from '@roster/queue';
import { serviceConfigs } from '@roster/runtime';
import { toldDates, toldSecrets } from '@roster/secrets';
import { isOverdue, overdueSentence, readOverdue } from '@roster/store';
import type { Command, Tools } from '../command.ts';
import type { Io } from '../io.ts';
import { textIn } from '../json.ts';
import { localStack, secretsIfKnown } from '../local.ts';
import { exitCodes, messageOf, type Result } from '../result.ts';
import type { Servers } from '../servers.ts';
import { number, table } from '../shown.ts';
import { unsignedCalls } from '../unsigned-calls.ts';

/** A part of Roster: `isUp` is missing where it is not known. */
interface Part {
  part: string;
  isUp?: boolean;
  /** Something there waits for a person. */
  waits?: boolean;
  state: string;
}

const answerWithinMs = 5_000;

type Seen = Pick<Part, 'state' | 'waits'>;

const told = async (part: string, look: () => Promise<string | Seen>): Promise<Part> => {
  try {
    const seen = await look();
    return { part, isUp: true, ...(typeof seen === 'string' ? { state: seen } : seen) };
  } catch (error) {
    return { part, isUp: false, state: messageOf(error) };
  }
};

const ask = (address: string, path: string): Promise<Response> =>
  fetch(new URL(path, address), { signal: AbortSignal.timeout(answerWithinMs) }).catch((error: Error) => {
    throw new Error(`${address} does not answer (${messageOf(error.cause ?? error)})`);
  });

const api = async (address: string): Promise<string> => {
  const answer = await ask(address, '/health/ready');
  if (!answer.ok) throw new Error(`${address} is not ready: ${(await answer.text()).slice(0, 200)}`);
  return `${address} accepts requests`;
};

/** As the alert of the runbook has it. An export has reason to wait: for the one before it. */
const waitsLong = ({ name, oldestMs }: { name: string; oldestMs: number }): boolean =>
  name !== 'export' && oldestMs > 60_000;

const redis = async (servers: Servers): Promise<Seen> => {
  const connection = await servers.redis();
  const waits = await readEach(growing(await servers.partitions(), allQueues), async (queue) => ({
    name: queue.name,
    ...(await readGauge(connection, [queue])),
  }));
  const late = waits.filter(({ name, oldestMs }) => name !== 'dead' && oldestMs > 0);
  const memory = `${number((waits[0]?.usedBytes ?? 0) / 2 ** 20)} MB in use`;
  const oldest = late.map(({ name, oldestMs }) => `${name} for ${number(oldestMs / 1000)} s`).join(', ');
  const requests = oldest ? `requests wait: ${oldest}` : 'no request waits';
  return { state: `${memory}; ${requests}`, ...(late.some(waitsLong) && { waits: true }) };
};

const mongo = async (servers: Servers): Promise<string> =>
  `${number(await (await servers.store()).profiles.estimatedDocumentCount())} people`;

const none = 'none';

const deadLetters = async (servers: Servers): Promise<string> => {
  const count = await (await servers.deadLetters()).count();
  return count === 0 ? none : number(count);
};

const starved = async (servers: Servers): Promise<string> =>
  (await readStarved(await servers.redis(), Object.keys(serviceConfigs))).map(starvedSentence).join('; ') ||
  none;

const overdue = async (servers: Servers): Promise<string> =>
  (await readOverdue(await servers.store())).filter(isOverdue).map(overdueSentence).join('; ') || none;

const parked = async (servers: Servers): Promise<string> => {
  const queues = growing(await servers.partitions(), allQueues);
  return (await readParked(await servers.redis(), queues)).map(parkedSentence).join('; ') || none;
};

/** Some that wait, wait for a person. */
const toldWaits = async (part: string, look: () => Promise<string>): Promise<Part> =>
  told(part, async () => {
    const state = await look();
    return { state, ...(state !== none && { waits: true }) };
  });

const board = async (address: string): Promise<string> => {
  await ask(address, '/health/live');
  return address;
};

const isDate = (date: Date): boolean => !Number.isNaN(date.getTime());

const datesIn = ({ until }: SecretNote): Date[] => until.map((text) => new Date(text)).filter(isDate);

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Each service, by what it knows. */
const namedDates = (note: SecretNote): string =>
  `${note.service} knows ${datesIn(note).map(dayOf).join(' and ') || 'none'}`;

const secret = (state: string, waits: boolean): Part => ({
  part: 'Secret',
  isUp: true,
  state,
  ...(waits && { waits }),
});

/** What the running processes know; what the shell of this command knows, where none has told. Without other secrets, as usual, there is nothing to tell. */
const otherSecrets = async (io: Io, servers: Servers): Promise<Part[]> => {
  // The row of Redis says that it is away.
  const notes = await servers
    .redis()
    .then((redis) => readSecretNotes(redis, Object.keys(serviceConfigs)))
    .catch((): SecretNote[] => []);
  const now = io.now().getTime();
  const [first] = notes;
  const told = first ? toldDates(datesIn(first), now) : toldSecrets(secretsIfKnown(io) ?? '', now);
  if (new Set(notes.map(({ until }) => until.join())).size > 1)
    return [secret(`other secrets (ROSTER_SECRET_ALSO) differ: ${notes.map(namedDates).join('; ')}`, true)];
  return told.map(({ says, isDue }) => secret(says, isDue));
};

/** Settings that let them in are a choice of the operator: nothing waits. */
const unsigned = async (io: Io, servers: Servers): Promise<Part[]> => {
  // The row of MongoDB says that it is away.
  const all = await servers
    .store()
    .then((store) => store.workspaces.list<WorkspaceSettings>())
    .catch((): WorkspaceSettings[] => []);
  const state = await unsignedCalls(io, all);
  return state === undefined ? [] : [{ part: 'Calls of providers', isUp: true, state }];
};

const states: Readonly<Record<string, string>> = { true: 'ok', false: 'DOWN' };

const status = async ({ io, servers }: Tools): Promise<Result> => {
  const local = localStack(io);
  const [address, boardAddress] = [io.env.ROSTER_URL || textIn(local.baseUrl), textIn(local.monitorUrl)];
  const dead = await toldWaits('Dead letters', () => deadLetters(servers));
  const queues = await told('Redis', () => redis(servers));
  const late = await Promise.all([
    toldWaits('Starved processes', () => starved(servers)),
    toldWaits('Overdue work', () => overdue(servers)),
    toldWaits('Newer version', () => parked(servers)),
  ]);
  const parts = await Promise.all<Part>([
    address
      ? told('API', () => api(address))
      : { part: 'API', state: 'its address is not known: set ROSTER_URL, or start the local stack' },
    queues,
    told('MongoDB', () => mongo(servers)),
    dead,
    ...late,
    ...(await otherSecrets(io, servers)),
    ...(await unsigned(io, servers)),
    ...(boardAddress ? [told('Board', () => board(boardAddress))] : []),
  ]);
  const isUp = parts.every((part) => part.isUp !== false);
  return {
    json: { isUp, parts },
    text: table(parts, {
      PART: ({ part }) => part,
      '': ({ isUp, waits }) => (waits ? 'WAIT' : (states[String(isUp)] ?? '?')),
      STATE: ({ state }) => state,
    }),
    notes: [
      dead.waits && '"roster dead list" shows the dead letters.',
      [queues, ...late].some(({ waits }) => waits) && 'docs/runbook.md says what to do.',
    ],
    exitCode: isUp ? exitCodes.done : exitCodes.failed,
  };
};

export const statusCommand: Command = {
  about: 'is it up, and does anything wait?',
  example: 'roster status',
  help: '\nThe exit code is 1 when a part does not answer. What waits does not change it: requests for more than a minute, dead letters, starved processes, overdue work, jobs that need a newer version, and a secret (ROSTER_SECRET_ALSO) whose date is near, or that not all services know. Secrets are those that the running processes know; those of your shell count where no process has told.',
  run: status,
};
