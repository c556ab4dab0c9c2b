import { stringifyExact } from '@roster/contract';
import type { AudienceLook } from '@roster/store';
import { until } from '@roster/testkit';
import { createNextPage } from './page.ts';
import type { ScanBudget } from './scans.ts';
import { createSenderSettings } from './settings.ts';
import { always, crowd, noBudget, person, schedule, toWebhook, useSending, ws } from './testbed.ts';

const { store, run, rows, start, add, ended, settled } = useSending();

it('who is excluded by a long whole number gets nothing, and who is named by one gets it', async () => {
  const has = (v: bigint) => ({ custom: [{ k: 'x', v, at: 1 }] });
  const value = 9_007_199_254_740_993n;
  await store.profiles.insertMany([person(1, has(value)), person(2, has(value + 2n))]);
  const toThose = (comparison: string) =>
    schedule(toWebhook(), {
      recipients: stringifyExact({
        broadcast: true,
        audience: { custom_attribute: { custom_attribute_name: 'x', comparison, value } },
      }),
    });
  await run(always({ state: 'sent' }), toThose('not_equal'));
  expect(await rows()).toEqual({ p2: 'sent' });
  await store.messages.sends.deleteMany({});
  await run(always({ state: 'sent' }), toThose('less_than_or_equal_to'));
  expect(await rows()).toEqual({ p1: 'sent' });
});

describe('looking for people', () => {
  const equals = (value: number) => ({
    custom_attribute: { custom_attribute_name: 'x', comparison: 'equals', value },
  });
  const nobody = { OR: Array.from({ length: 99 }, (_, n) => equals(n)) };
  const loud = 'loud';

  const addPeople = (of: string, count: number) =>
    store.profiles.insertMany(crowd(count, of, { custom: [{ k: 'x', v: -1, at: 1 }] }));

  /** Pages, and what was looked at for them. */
  const watched = (scanBudget: ScanBudget = noBudget) => {
    const looks: AudienceLook[] = [];
    /** The workspaces of pages, in the order in which these are begun: how large profiles are is read first. */
    const begun: string[] = [];
    let [now, most] = [0, 0];
    const bytesOf: typeof store.audiences.bytesOf = (question) => {
      begun.push(question.ws);
      return store.audiences.bytesOf(question);
    };
    const look = async (question: AudienceLook) => {
      looks.push(question);
      most = Math.max(most, ++now);
      return store.audiences.look(question).finally(() => now--);
    };
    const settingsOf = createSenderSettings(store);
    const nextPage = createNextPage({
      store: { ...store, audiences: { ...store.audiences, look, bytesOf } },
      settingsOf,
      scanBudget,
    });
    return { nextPage, settingsOf, looks, begun, atOnce: () => most };
  };

  it('is done two by two, in turn between workspaces, and not by all deliveries of one', async () => {
    await addPeople(loud, 50);
    await addPeople(ws, 10);
    const { nextPage, settingsOf, begun, atOnce } = watched();
    // So that each stands in line in the order of the calls.
    await Promise.all([settingsOf(loud), settingsOf(ws)]);
    const theirs = Array.from({ length: 200 }, () =>
      nextPage({ ws: loud, created: 1 }, { audience: nobody }, 10),
    );
    const ours = await nextPage({ ws, created: 1 }, { audience: equals(-1) }, 10);
    expect(ours.ids).toHaveLength(10);
    // Two pages of theirs were under way.
    expect(begun.indexOf(ws)).toBe(2);
    const pages = await Promise.all(theirs);
    // All stand in line before the first two know that theirs is short.
    expect(pages.filter(({ isLater }) => isLater)).toHaveLength(200 - 20);
    expect(atOnce()).toBe(2);
  });

  it('is paid before, by filters and people, and goes no further than that', async () => {
    await addPeople(loud, 1_050);
    const paid: number[] = [];
    const pay = async (_: string, points: number): Promise<boolean> => {
      // The first point is for a sample.
      expect(looks).toHaveLength(Math.max(0, paid.length - 1));
      paid.push(points);
      return true;
    };
    const { nextPage, looks } = watched({ ...noBudget, pay });
    const whole = { broadcast: true, audience: nobody };
    const dear = await nextPage({ ws: loud, created: 1 }, whole, 10);
    expect(looks.map(({ people }) => people)).toEqual([16, 64, 256, 664]);
    expect(dear).toMatchObject({ ids: [], isLast: false, cursor: 'loud-0999' });
    const [, first = 0, second = 0] = paid.splice(0);
    expect(second / first).toBeCloseTo(4, 0);
    looks.length = 0;
    await nextPage({ ws: loud, created: 1 }, { broadcast: true, audience: equals(0) }, 10);
    expect(first / (paid[1] ?? 0)).toBeGreaterThan(5);
  });

  it('of large profiles looks at fewer', async () => {
    const custom = [{ k: 'y', v: Array(2_000).fill('x'.repeat(250)), at: 1 }];
    await store.profiles.insertMany([1, 2, 3].map((n) => person(n, { custom })));
    const { nextPage, looks } = watched();
    expect(await nextPage({ ws, created: 1 }, { audience: nobody }, 10)).toEqual({
      ids: [],
      cursor: 'p1',
      isLast: false,
    });
    expect(looks.map(({ people }) => people)).toEqual([1]);
  });

  it('waits when the workspace cannot pay, keeps what it has, and others go on', async () => {
    await addPeople(loud, 40);
    await addPeople(ws, 5);
    let pool = 2;
    const pay = async (of: string): Promise<boolean> => of !== loud || pool-- > 0;
    const { nextPage } = watched({ ...noBudget, pay });
    const audience = equals(-1);
    expect(await nextPage({ ws: loud, created: 1 }, { audience: nobody }, 10)).toMatchObject({
      cursor: 'loud-0015',
      isLater: true,
    });

    pool = 0;
    start(always({ state: 'sent' }), { scanBudget: { ...noBudget, pay } });
    const recipients = JSON.stringify({ broadcast: true, audience });
    const late = await add(toWebhook(), { ws: loud, recipients });
    await until(() => store.messages.deliveries.findOne({ ws: loud, taker: { $exists: true } }));
    const timely = await add(toWebhook(), { recipients });
    await ended(timely._id);
    expect(await store.messages.sends.countDocuments({ ws: loud })).toBe(0);
    pool = 1_000;
    await ended(late._id);
    await settled();
    expect(await store.messages.sends.countDocuments({ ws: loud, state: 'sent' })).toBe(40);
  });
});
