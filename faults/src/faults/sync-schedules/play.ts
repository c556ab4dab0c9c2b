// A schedule is played: its acts happen to a real database and to the code of the service, whose process dies in the middle.
import { setTimeout as sleep } from 'node:timers/promises';
import { completeSettings } from '@roster/access';
import { beginJob, createJudgeRows } from '@roster/integrations';
import {
  createAnswer,
  createFail,
  createRunJob,
  type Lease,
  type RunOptions,
  type Sender,
  takeJob,
} from '@roster/integrations-service';
import { inThisProcess, type Source, type Sources } from '@roster/sources';
import type { Store } from '@roster/store';
import { createTestCaller } from '@roster/testkit';
import { type Act, coarseSeconds, type Extra, extras, type Plan, type Schedule } from './acts.ts';
import { hasKey, membersOf, type Place } from './database.ts';
import { wrongIn } from './judge.ts';
import { expectedOf } from './model.ts';
import { createPeople, type People } from './people.ts';

/** What may be missing, so that it is seen to be needed. */
export type Without = 'the transactions that are open' | 'what each row said last';

/** Windows have whole seconds, and reach back for as long as a job took. */
const longMs = 3_100;

const coarseMs = coarseSeconds * 1_000;

const waitMs = ({ isForNext }: Act & { do: 'wait' }): number =>
  isForNext ? coarseMs - (Date.now() % coarseMs) + 50 : longMs;

class Killed extends Error {}

/** The steps of a job. The process dies at one of them, and does nothing from then on, or something else happens there. */
const createSteps = (death: number | undefined, at: number | undefined, meanwhile: () => Promise<void>) => {
  let [steps, isDead] = [0, false];
  return {
    isDead: (): boolean => isDead,
    async step(): Promise<void> {
      steps += 1;
      isDead ||= steps === death;
      if (isDead) throw new Killed();
      if (steps === at) await meanwhile();
    },
  };
};

type Step = () => Promise<void>;

const sourceWith = (source: Source, step: Step, without: Without | undefined): Source => ({
  ...source,
  async clock(...asked) {
    await step();
    const clock = await source.clock(...asked);
    await step();
    return without === 'the transactions that are open' ? { ...clock, lag: 0 } : clock;
  },
  async *pages(options) {
    await step();
    for await (const page of source.pages(options)) {
      yield page;
      await step();
    }
  },
});

const sourcesWith = (step: Step, without: Without | undefined): Sources => ({
  ...inThisProcess,
  openSource: (settings) => sourceWith(inThisProcess.openSource(settings), step, without),
});

const storeWith = (store: Store, step: Step): Store => ({
  ...store,
  async transact(work) {
    await step();
    const done = await store.transact(work);
    await step();
    return done;
  },
});

let stamp = Date.now() * 1_000;

const senderWith = ({ send, work }: People, { isLate }: Plan, step: Step): Sender => ({
  pay: async () => true,
  stamp: async () => ++stamp,
  idOf: (ws, at) => `${ws}/${at}`,
  requestOf: ({ request = '' }) => request,
  isBusy: () => false,
  others: () => 0,
  async send(chunk) {
    await step();
    send(chunk);
    if (!isLate) await work();
    await step();
  },
  async again(chunk) {
    await step();
    send(chunk);
    return chunk;
  },
  sendLost: () => work(),
});

const settingsOf = (plan: Plan, mapped: readonly Extra[]): object => ({
  integration_name: 'Schedule',
  connection: 'warehouse',
  table: 'feed',
  data: plan.data === 'increments' ? 'attributes' : plan.data,
  mode: plan.mode,
  look_back_seconds: plan.lookBackSeconds,
  ...(hasKey(plan) && { key: 'id' }),
  ...(plan.onRemoved !== 'ignore' && { on_removed: plan.onRemoved, most_removed_percent: 100 }),
  ...(plan.isMapped && { columns: membersOf(plan, mapped) }),
});

export interface Played {
  wrong: readonly string[];
  syncs: number;
  deaths: number;
}

const settings = (['postgresql', 'mysql'] as const).map((kind) =>
  completeSettings({
    id: kind,
    integrations: {
      connections: [{ id: 'warehouse', kind, url: { env: 'ROSTER_CREDENTIAL_W' }, tls: 'off' }],
    },
  }),
);

const workspaceOf: RunOptions['settingsOf'] = async (ws) => {
  const found = settings.find(({ id }) => ws.startsWith(id));
  if (!found) throw new Error(`no workspace ${ws}`);
  return found;
};

/** What callers do. One after the other: each is a row of the audit log, where those that come at once collide. */
const createCall = (store: Store) => {
  const { send } = createTestCaller(
    createAnswer({
      store,
      connectionOf: async (ws, id) =>
        (await workspaceOf(ws)).integrations.connections.find((one) => one.id === id),
    }),
  );
  let last: Promise<unknown> = Promise.resolve();
  return async (...sent: Parameters<typeof send>): Promise<Record<string, unknown>> => {
    const answered = last.then(() => send(...sent));
    last = answered.catch(() => {});
    const { status, body } = await answered;
    if (status >= 300) throw new Error(`${sent[0]} was answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
};

interface Running {
  store: Store;
  schedule: Schedule;
  place: Place;
  people: People;
  ws: string;
  id: string;
  judgeRows: RunOptions['judgeRows'];
  without: Without | undefined;
  say(line: string): void;
  url(): string;
}

/** One turn of a job, as the process of the service has it. */
const turn = async (lease: Lease, running: Running, { step, isDead }: ReturnType<typeof createSteps>) => {
  const { store, schedule, people, judgeRows, without, url, say } = running;
  const warn = (about: object, words: string): void =>
    say(`${words}: ${'err' in about && about.err instanceof Error ? about.err.stack : ''}`);
  const runJob = createRunJob({
    store: storeWith(store, step),
    sender: senderWith(people, schedule.plan, step),
    judgeRows,
    settingsOf: workspaceOf,
    places: { read: async () => url(), filesDir: '' },
    sourcesOf: () => sourcesWith(step, without),
    syncs: () => 1,
  });
  try {
    await runJob(lease);
  } catch (error) {
    const fail = createFail({ store, mostTries: 2, firstPauseMs: 0 }, { warn });
    if (!isDead()) await fail(lease, lease.signal.aborted ? lease.signal.reason : error);
  } finally {
    lease.end();
  }
};

const createSync = (running: Running) => {
  const { store, place, ws, id, without } = running;
  const { jobs, chunks } = store.syncs;
  const counts = { syncs: 0, deaths: 0 };
  const sync = async ({ death, meanwhile }: Act & { do: 'sync' }): Promise<void> => {
    let isDone = false;
    const other = async (): Promise<void> => {
      if (isDone || !meanwhile) return;
      isDone = true;
      await place.do(meanwhile.act);
    };
    if (without === 'what each row said last')
      await chunks.updateMany({ integration: id }, { $unset: { ids: 1 } });
    stamp += 1;
    const beginning = { integration: id, origin: `${id}/${stamp}`, n: stamp };
    // Refused while it is paused, or while a job runs: then that one goes on.
    await store.transact((session) => beginJob(store, ws, { ...beginning, session }));
    await jobs.updateMany({ integration: id, state: 'running' }, { $set: { due: new Date() } });
    const { signal: stopping } = new AbortController();
    const lease = await takeJob({ jobs, leaseMs: 600_000, stopping, which: { integration: id } });
    if (lease) {
      const steps = createSteps(death, meanwhile?.at, other);
      await turn(lease, running, steps);
      counts.syncs += 1;
      if (steps.isDead()) counts.deaths += 1;
    }
    await other();
  };
  return { sync, counts };
};

const clean = async ({ store, ws, id }: Running): Promise<void> => {
  const { jobs, chunks, kept, retries, rows, integrations } = store.syncs;
  const all = [jobs, chunks, kept, retries, rows].map((one) => one.deleteMany({ integration: id }));
  await Promise.all([...all, integrations.deleteMany({ _id: id }), store.requests.deleteMany({ ws })]);
};

export const createPlayer = (store: Store, say: (line: string) => void) => {
  const [judgeRows, call] = [createJudgeRows(), createCall(store)];
  return async (place: Place, schedule: Schedule, without?: Without): Promise<Played> => {
    const { seed, plan, acts } = schedule;
    const [ws, people] = [`${plan.server}-${seed}`, createPeople(store)];
    let url = place.urlFor('right');
    await place.empty(plan, extras);
    const made = await call('cdi.integration_create', { ws, body: settingsOf(plan, extras) });
    const id = String(made.integration_id);
    const change = (body: object): Promise<unknown> =>
      call('cdi.integration_update', { ws, params: { integration_id: id }, body });
    const running = { store, schedule, place, people, ws, id, judgeRows, without, say, url: () => url };
    const { sync, counts } = createSync(running);

    const perform = async (act: Act): Promise<unknown> => {
      switch (act.do) {
        case 'sync':
          return sync(act);
        case 'wait':
          return sleep(waitMs(act));
        case 'connect':
          url = place.urlFor(act.how);
          return undefined;
        case 'map':
          return change({ columns: membersOf(plan, act.columns) });
        case 'name':
          return change({ table: act.isRight ? 'feed' : 'fed' });
        case 'pause':
          return change({ paused: act.paused });
        default:
          return place.do(act);
      }
    };

    for (const act of acts) await perform(act);
    const before = people.entries();
    await sync({ do: 'sync' });
    const last = await store.syncs.jobs.findOne({ integration: id }, { sort: { n: -1 } });
    const wrong = wrongIn(plan, expectedOf(schedule), people);
    if (people.entries() > before) wrong.push('rows are sent once more, though nothing has changed');
    if (last?.state !== 'success') wrong.push(`the last job is ${last?.state}: ${last?.reason}`);
    await clean(running);
    return { wrong, ...counts };
  };
};
