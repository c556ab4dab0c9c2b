/** Jobs that end their process, against a real MongoDB. A process that ended is one whose turns never end. */
import { createSignal, until } from '@roster/testkit';
import { makeIntegration, useTestbed } from '../testbed.ts';
import type { Lease } from './lease.ts';
import { createTurns } from './turns.ts';

const { store, test } = useTestbed();

let taken: string[] = [];
let convicted: string[] = [];
beforeEach(() => {
  [taken, convicted] = [[], []];
});

const jobOf = async (more: object = {}): Promise<string> => {
  const id = await makeIntegration(test, more);
  await test.send('cdi.integration_sync', { params: { integration_id: id } });
  const { job = '' } = (await store.syncs.integrations.findOne({ _id: id })) ?? {};
  return job;
};

const never = (): Promise<void> => new Promise(() => {});

/** A process, and what its turns do. */
const open = (run: (lease: Lease) => Promise<void> = never, aloneMs = 600_000) =>
  createTurns({
    store,
    leaseMs: 600_000,
    aloneMs,
    stopping: new AbortController().signal,
    async run(lease) {
      taken.push(lease.job._id);
      try {
        await run(lease);
      } finally {
        lease.end();
      }
    },
    onConvicted: ({ job }) => convicted.push(job._id),
    onError(error) {
      throw error;
    },
  });

/** Their leases are over. */
const leave = () => store.syncs.jobs.updateMany({ state: 'running' }, { $set: { due: new Date() } });

/** A process that ends with all that it has begun; says what it was. */
const vanish = async (): Promise<string[]> => {
  taken = [];
  await open().look();
  await leave();
  return taken.toSorted();
};

const giveBack = (lease: Lease): Promise<void> => lease.giveBack({}, 600_000);

it('a job that ends its process is tried alone, then given up, and its integration is paused', async () => {
  const [culprit, other] = [await jobOf(), await jobOf()];
  expect(await vanish()).toEqual([culprit, other].toSorted());
  expect(await vanish()).toEqual([culprit, other].toSorted());
  // From now on each alone.
  const isCulprit = ({ job }: Lease): boolean => job._id === culprit;
  let turns = 0;
  for (let n = 0; n < 20 && convicted.length === 0; n += 1) {
    taken = [];
    let hasEnded = false;
    const process = open(async (lease) => {
      if (isCulprit(lease)) return never();
      await giveBack(lease);
      hasEnded = true;
    });
    await process.look();
    expect(taken.length).toBeLessThanOrEqual(1);
    if (taken[0] === other) await until(() => hasEnded);
    if (taken[0] === culprit) turns += 1;
    await store.syncs.jobs.updateOne({ _id: culprit, state: 'running' }, { $set: { due: new Date() } });
  }
  expect(turns).toBe(3);
  expect(convicted).toEqual([culprit]);
  const job = await store.syncs.jobs.findOne({ _id: culprit });
  expect(job).toMatchObject({
    state: 'error',
    reason: expect.stringContaining('the process that ran it ended'),
  });
  expect(job?.due).toBeUndefined();
  const integration = await store.syncs.integrations.findOne({ _id: job?.integration ?? '' });
  expect(integration).toMatchObject({ paused: true, state: 'draft', last_state: 'error' });
  const audited = await store.audit.list({ target: job?.integration ?? '' });
  const paused = { what: 'integration.paused', by: 'service:integrations' };
  expect(audited.at(-1)).toMatchObject({ ...paused, set: { ws: 'demo', from: 'service' } });
  // Its own turns count nothing against the other one.
  expect(await store.syncs.jobs.findOne({ _id: other })).toMatchObject({ state: 'running', taken: 2 });
});

it('a process that ended once makes no suspect, and a turn that ends is no evidence', async () => {
  const job = await jobOf();
  await vanish();
  await open(giveBack).look();
  await until(() => store.syncs.jobs.findOne({ _id: job, taken: 1, due: { $gt: new Date() } }));
});

/** How many processes a job ends until it is given up. `between`: a turn of its that ends well. */
const endsOf = async (job: string, { between = false, aloneMs = 600_000 }): Promise<number> => {
  for (let ends = 0; ends < 30; ends += 1) {
    const before = (await store.syncs.jobs.findOne({ _id: job }))?.taken ?? 0;
    await open(never, aloneMs).look();
    if (convicted.length > 0) return ends;
    // Its time alone is over.
    if (before >= 2 && aloneMs === 1)
      await until(() => store.syncs.jobs.findOne({ _id: job, taken: before + 0.5 }));
    await leave();
    if (!between) continue;
    await open(giveBack).look();
    if (convicted.length > 0) return ends + 1;
    await until(() => store.syncs.jobs.findOne({ _id: job, due: { $gt: new Date() } }));
    await leave();
  }
  throw new Error('it goes on for ever');
};

it.each([
  ['at once', {}, 5],
  ['after its time alone', { aloneMs: 1 }, 7],
  ['and lets a turn end well each time', { between: true }, 5],
])('a job that ends its process %s is given up', async (_, how, ends) => {
  const job = await jobOf();
  expect(await endsOf(job, how)).toBe(ends);
  expect(convicted).toEqual([job]);
});

it('others come before a suspect, and nothing begins beside it while it is alone', async () => {
  const suspect = await jobOf();
  await vanish();
  await vanish();
  const usual = await jobOf();
  taken = [];
  const [go, over] = [createSignal(), createSignal()];
  const process = open(async (lease) => {
    await (lease.job._id === usual ? go : over).given;
    return giveBack(lease);
  });
  await process.look();
  expect(taken).toEqual([usual]);
  go.give();
  await until(() => process.count() === 0);
  await process.look();
  expect(taken).toEqual([usual, suspect]);
  const later = await jobOf();
  await process.look();
  expect(taken).toEqual([usual, suspect]);
  over.give();
  await until(() => process.count() === 0);
  await process.look();
  expect(taken).toEqual([usual, suspect, later]);
});

it('others begin beside a suspect that has run alone for its time, but no other suspect', async () => {
  const suspect = await jobOf();
  await vanish();
  await vanish();
  const process = open(never, 1);
  await process.look();
  await until(() => store.syncs.jobs.findOne({ _id: suspect, taken: 2.5 }));
  const [other, second] = [await jobOf(), await jobOf()];
  await store.syncs.jobs.updateOne({ _id: second }, { $set: { taken: 2 } });
  taken = [];
  await process.look();
  expect(taken).toEqual([other]);
});

it('a suspect that waits for long has its turn before others', async () => {
  const suspect = await jobOf();
  await vanish();
  await vanish();
  await store.syncs.jobs.updateOne({ _id: suspect }, { $set: { due: new Date(Date.now() - 700_000) } });
  await jobOf();
  taken = [];
  await open().look();
  expect(taken).toEqual([suspect]);
});

it('one workspace does not take all places of a process', async () => {
  const mine = [await jobOf(), await jobOf(), await jobOf(), await jobOf()];
  const process = open();
  await process.look();
  expect(taken).toEqual(mine.slice(0, 2));
  await store.syncs.jobs.updateOne({ _id: mine[2] ?? '' }, { $set: { ws: 'other' } });
  await process.look();
  expect(taken).toEqual(mine.slice(0, 3));
});
