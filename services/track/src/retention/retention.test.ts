import { decimal, keyOf, type Store } from '@roster/store';
import { anEvent, aPurchase, serviceId, testStore, useStore } from '@roster/testkit';
import { createApply } from '../apply.ts';
import { createTestbed } from '../testbed.ts';
import {
  createRetention,
  type RetentionOptions,
  type RetentionPlace,
  type RetentionRun,
} from './run-retention.ts';

const store = useStore();

const now = Date.UTC(2026, 5, 1);
const day = 24 * 60 * 60 * 1000;
const edge = now - 90 * day;

/** By their names. */
const people = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
const nameOf = new Map(people.map((name) => [serviceId(name), name]));

const clear = async () => {
  for (const { generations } of [store.events, store.purchases])
    for (const { _id } of await generations.all()) await store.db.collection(_id).deleteMany({});
  for (const name of ['totals', 'workspaces']) await store.db.collection(name).deleteMany({});
};

beforeEach(clear);

const event = (person: string, name: string, time: number, ws = 'demo') =>
  anEvent(serviceId(person), { name, ws, at: now * 1000, time: new Date(time) });
const purchase = (person: string, product_id: string, time: number, revenue?: string) =>
  aPurchase(serviceId(person), {
    ...{ product_id, at: now * 1000, time: new Date(time) },
    ...(revenue !== undefined && { revenue: decimal(revenue) }),
  });

const runs = (options: Partial<RetentionOptions> = {}) => {
  const retention = createRetention({ store, restMs: () => 0, ...options });
  return (run: Partial<RetentionRun> = {}) => retention({ now, ...run });
};

const totals = async () =>
  (await store.totals.find()).map(({ _id: _, ws: __, profile, first, last, revenue, ...rest }) => ({
    ...rest,
    profile: nameOf.get(profile) ?? profile,
    first: first.getTime(),
    last: last.getTime(),
    ...(revenue && { revenue: revenue.toString() }),
  }));

/** First, last, count and revenue of all times, of rows and totals together, by profile, kind and name. */
const lifetime = async () => {
  const rows = [
    ...(await store.events.find()).map((row) => ({ ...row, of: 'events', revenue: undefined })),
    ...(await store.purchases.find()).map((row) => ({ ...row, of: 'purchases', name: row.product_id })),
  ].map(({ time, ...row }) => ({ ...row, first: time, last: time, count: 1 }));
  const all: Record<string, { first: number; last: number; count: number; revenue: number }> = {};
  for (const { profile, of, name, first, last, count: n, revenue } of [
    ...rows,
    ...(await store.totals.find()),
  ]) {
    const key = `${profile} ${of} ${name}`;
    const before = all[key] ?? { first: Number.POSITIVE_INFINITY, last: 0, count: 0, revenue: 0 };
    all[key] = {
      first: Math.min(before.first, first.getTime()),
      last: Math.max(before.last, last.getTime()),
      count: before.count + n,
      // In whole thousandths: sums of them are exact.
      revenue: before.revenue + Math.round(Number(revenue ?? 0) * 1000),
    };
  }
  return Object.fromEntries(Object.entries(all).toSorted());
};

describe('retention', () => {
  const bought = { profile: 'p1', of: 'purchases' };

  it('rolls up occurrences older than 90 days, to the millisecond, and leaves the rest', async () => {
    const kept = [event('p1', 'seen', edge), event('p1', 'seen', now)];
    await store.events.insert([
      event('p1', 'seen', edge - 1),
      event('p1', 'seen', edge - 5000),
      event('p1', '__proto__', edge - 7),
      event('p2', 'seen', edge - 2),
      ...kept,
    ]);
    await store.purchases.insert([
      purchase('p1', 'tea', edge - 1, '0.1'),
      purchase('p1', 'tea', edge - 2, '0.2'),
      purchase('p1', 'tea', edge - 3),
      purchase('p1', 'no rate', edge - 4),
    ]);
    expect(await runs()()).toMatchObject({ events: 4, purchases: 4 });
    expect(await store.events.find()).toEqual(kept.map(({ request: _, ...row }) => row));
    expect(await store.purchases.find()).toEqual([]);
    const rest = await totals();
    expect(rest).toHaveLength(5);
    expect(rest).toEqual(
      expect.arrayContaining([
        { profile: 'p1', of: 'events', name: 'seen', first: edge - 5000, last: edge - 1, count: 2 },
        { profile: 'p1', of: 'events', name: '__proto__', first: edge - 7, last: edge - 7, count: 1 },
        { profile: 'p2', of: 'events', name: 'seen', first: edge - 2, last: edge - 2, count: 1 },
        { ...bought, name: 'tea', first: edge - 3, last: edge - 1, count: 3, revenue: '0.3' },
        { ...bought, name: 'no rate', first: edge - 4, last: edge - 4, count: 1 },
      ]),
    );
  });

  it('adds late occurrences, and those that become old later, to the totals', async () => {
    const run = runs();
    await store.purchases.insert([purchase('p1', 'tea', edge - 10, '0.1'), purchase('p1', 'tea', edge, '1')]);
    await run();
    await store.purchases.insert([purchase('p1', 'tea', edge - 9000, '0.2')]);
    await run({ now: now + 1 });
    expect(await totals()).toEqual([
      { ...bought, name: 'tea', first: edge - 9000, last: edge, count: 3, revenue: '1.3' },
    ]);
    expect(await run({ now: now + 1 })).toMatchObject({ events: 0, purchases: 0 });
    const p1 = serviceId('p1');
    expect(await store.totals.lastOfEach(['other', p1])).toEqual([{ _id: p1, time: new Date(edge) }]);
    expect(await store.totals.revenues([p1, 'other'])).toEqual(new Map([[p1, '1.3']]));
  });

  it('uses the window of each workspace at the beginning of a run, or of one workspace only', async () => {
    const settings = (event_days: number) => ({ id: 'short', retention: { event_days } });
    await store.workspaces.put(settings(7));
    const time = now - 10 * day;
    await store.events.insert([
      event('p1', 'seen', time, 'short'),
      event('p2', 'seen', time, 'demo'),
      event('p3', 'seen', edge - 1, 'demo'),
    ]);
    expect(await runs()({ ws: 'short' })).toMatchObject({ events: 1 });
    expect((await totals()).map(({ profile }) => profile)).toEqual(['p1']);
    expect(await runs()()).toMatchObject({ events: 1 });
    await store.events.insert([event('p1', 'seen', time, 'short')]);
    await store.workspaces.put(settings(3650));
    expect(await runs()()).toMatchObject({ events: 0, oldest: { events: new Date(time) } });
  });

  it('takes small steps, rests in between, and can go on at a place', async () => {
    const rows = Array.from({ length: 60 }, (_, n) => event(`p${n % 6}`, `e${n % 2}`, edge - 1 - n));
    await store.events.insert(rows);
    const [steps, rests, places]: [number[], number[], RetentionPlace[]] = [[], [], []];
    const run = runs({
      rowsInStep: 7,
      onRolledUp: (_, n) => steps.push(n),
      restMs: () => rests.push(1) && 0,
    });
    const before = await lifetime();
    const generation = (await store.events.generations.all())[0]?._id ?? '';
    const after = keyOf({ ...event('p1', '', 0), profile: serviceId('p1~') }).toString('hex');
    await run({
      from: { kind: 'events', generation, after },
      onPlace: async (place) => void places.push(place),
    });
    expect(steps).toEqual([7, 7, 7, 7, 7, 5]);
    expect(rests).toHaveLength(steps.length);
    const reached = places.map(({ after: key }) => nameOf.get(key.slice(0, 24)));
    expect(reached).toEqual(['p2', 'p3', 'p4', 'p4', 'p5', 'p5']);
    expect(await run()).toMatchObject({ events: 20 });
    expect(await lifetime()).toEqual(before);
    const stopped = runs()({ signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow('aborted');
  });

  it('reads no generation without old occurrences, and tells its oldest day', async () => {
    const late = await testStore();
    try {
      await late.store.events.insert([event('p1', 'seen', now - day)]);
      const slice = jest.fn();
      const events = { ...late.store.events, slice };
      const { oldest } = await runs({ store: { ...late.store, events } })();
      expect(slice).not.toHaveBeenCalled();
      expect(oldest.events?.getTime()).toBe(Math.floor((now - day) / day) * day);
    } finally {
      await late.close();
    }
  });
});

/** Every call of the database may be the last one of its process. */
const dyingAt = (call: number): { dying: Store; isDead(): boolean } => {
  let calls = 0;
  const die = () => {
    calls += 1;
    if (calls === call) throw new Error('killed');
  };
  const interrupted = <Thing extends object>(thing: Thing): Thing =>
    new Proxy(thing, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          die();
          return value.apply(target, args);
        };
      },
    });
  const transact: Store['transact'] = async (work, options) => {
    const result = await store.transact(work, options);
    die();
    return result;
  };
  const [events, purchases] = [interrupted(store.events), interrupted(store.purchases)];
  const dying = { ...store, transact, events, purchases, totals: interrupted(store.totals) };
  return { dying, isDead: () => calls >= call };
};

/** Without protection: every call counts by itself. */
const plainly: Store['transact'] = (work) => work(undefined as never, 0);

const aHistory = async () => {
  const names = ['seen', 'bought', '😀'];
  await store.events.insert(
    Array.from({ length: 40 }, (_, n) => event(`p${n % 4}`, names[n % 3] ?? '', edge - 20 * day + n * day)),
  );
  await store.purchases.insert(
    Array.from({ length: 20 }, (_, n) => purchase(`p${n % 4}`, 'tea', edge - 10 * day + n * day, '0.001')),
  );
};

describe('a run that is killed', () => {
  /** Until figures are wrong, or the run comes to its end. */
  const killedEverywhere = async (transact?: Store['transact']) => {
    let before: Awaited<ReturnType<typeof lifetime>> | undefined;
    for (let call = 1; call < 500; call++) {
      await clear();
      await aHistory();
      // It is the same each time.
      before ??= await lifetime();
      const { dying, isDead } = dyingAt(call);
      const options = { rowsInStep: 5, store: { ...dying, ...(transact && { transact }) } };
      await runs(options)().catch((error) => {
        if (error.message !== 'killed') throw error;
      });
      const between = await lifetime();
      // In one step: only the killed run needs small ones.
      await runs()();
      const isRight = [between, await lifetime()].every(
        (one) => JSON.stringify(one) === JSON.stringify(before),
      );
      if (!isRight || !isDead()) return { boundaries: call - 1, isRight };
    }
    throw new Error('it never came to an end');
  };

  it('at any step leaves every figure as it was, and so does the next run', async () => {
    const { boundaries, isRight } = await killedEverywhere();
    expect(isRight).toBe(true);
    expect(boundaries).toBeGreaterThan(30);
  });

  it('would not without the transaction', async () => {
    expect((await killedEverywhere(plainly)).isRight).toBe(false);
  });
});

describe('two runs at once', () => {
  /** Both have read before either writes: as close as two can come. */
  const meeting = () => {
    const waiting = new Set<() => void>();
    const letGo = (): void => {
      for (const go of waiting) go();
      waiting.clear();
    };
    return () =>
      new Promise<void>((go) => {
        waiting.add(go);
        if (waiting.size >= 2) letGo();
        else setTimeout(letGo, 200);
      });
  };
  const atOnce = async (transact: Store['transact'] = store.transact) => {
    const meet = meeting();
    const totals: Store['totals'] = {
      ...store.totals,
      async add(session, all) {
        await meet();
        await store.totals.add(session, all);
      },
    };
    const run = runs({ store: { ...store, totals, transact }, rowsInStep: 10 });
    return Promise.allSettled([run(), run()]);
  };

  it('count everything once', async () => {
    await aHistory();
    const before = await lifetime();
    const ended = await atOnce();
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await lifetime()).toEqual(before);
    expect((await store.events.find()).filter(({ time }) => time.getTime() < edge)).toEqual([]);
    const done = ended.map((one) => (one.status === 'fulfilled' ? one.value.events : 0));
    expect(done.reduce((sum, n) => sum + n)).toBe(20);
  });

  it('would not without the transaction', async () => {
    await aHistory();
    const before = await lifetime();
    await atOnce(plainly);
    expect(await lifetime()).not.toEqual(before);
  });
});

it('the last activity of a person is still known afterwards', async () => {
  const bed = createTestbed(store, 'shared');
  const apply = createApply({ store });
  const [early, late] = [bed.uniqueId(), bed.uniqueId()];
  const email = 'both@example.com';
  await apply([
    bed.attributes({ external_id: late, email }),
    bed.events({ external_id: late, time: '2026-01-02T00:00:00Z' }),
    bed.attributes({ external_id: early, email }),
    bed.events({ external_id: early, time: '2026-01-01T00:00:00Z' }),
  ]);
  // Every profile is older than its last occurrence: else the profile would decide.
  await store.profiles.updateMany({ ws: 'shared' }, { $set: { updated_at: 1 } });
  expect(await runs()()).toMatchObject({ events: 2 });
  await apply([bed.events({ email, name: 'by email' })]);
  expect((await bed.eventsOf(late)).map(({ name }) => name)).toEqual(['by email']);
});
