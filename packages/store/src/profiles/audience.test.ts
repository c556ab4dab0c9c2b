import { randomUUID } from 'node:crypto';
import { prepareAudience } from '@roster/audience';
import { emailKey, newProfile, type Value } from '@roster/profile';
import { aProfile, serviceId, useStore } from '@roster/testkit';
import { openStore } from '../connection/open-store.ts';

const store = useStore({ open: openStore });
const ws = 'shop';
const now = Date.parse('2026-06-15T12:00:00.000Z');
const at = now * 1000;

const newId = (): string => serviceId(randomUUID());

interface Wanted {
  attributes?: Record<string, Value>;
  email?: string;
  emailState?: 'opted_in' | 'unsubscribed';
  push?: 'opted_in' | 'unsubscribed';
  lastUsed?: string;
}

const add = async (...all: Wanted[]): Promise<string[]> => {
  const people = all.map(({ attributes = {}, email, push, lastUsed }) => {
    const more = {
      ...(lastUsed !== undefined && {
        lists: { apps: { items: [{ k: 'web', v: { last_used: lastUsed }, at }] } },
      }),
      ...(push !== undefined && { consents: [{ k: 'push', v: push, at }] }),
      custom: Object.entries(attributes).map(([k, v]) => ({ k, v, at })),
    };
    return aProfile(newId(), at, { ...(email !== undefined && { email }), more }, ws);
  });
  await store.profiles.insertMany(people);
  const states = all.flatMap(({ email, emailState }) =>
    email !== undefined && emailState !== undefined
      ? [{ _id: `${ws}:m:${emailKey(email)}`, ws, consents: [{ k: 'email', v: emailState, at: at + 1 }] }]
      : [],
  );
  if (states.length > 0) await store.contacts.insertMany(states);
  return people.map(({ _id }) => _id);
};

const idsOf = async (audience: unknown, after?: string): Promise<string[]> => {
  const ids: string[] = [];
  for await (const page of store.audiences.pages({
    ws,
    audiences: [audience],
    now,
    ...(after !== undefined && { after }),
  }))
    ids.push(...page.ids);
  return ids;
};

const x = (comparison: string, value?: unknown) => ({
  custom_attribute: { custom_attribute_name: 'x', comparison, ...(value !== undefined && { value }) },
});

beforeEach(() => Promise.all([store.profiles.deleteMany({}), store.contacts.deleteMany({})]));

it('finds people by what was said of their email, of push, and by when they used an app', async () => {
  const [ada, bob, eve] = await add(
    { email: 'Ada@example.com', emailState: 'opted_in', lastUsed: '2026-06-01T00:00:00.000Z' },
    { email: 'bob@example.com', emailState: 'unsubscribed', push: 'opted_in' },
    {},
  );
  const email = (comparison: string, value: string) => ({ email_subscription_status: { comparison, value } });
  expect(await idsOf(email('is', 'opted_in'))).toEqual([ada]);
  expect(await idsOf(email('is_not', 'unsubscribed'))).toEqual([ada, eve].sort());
  expect(await idsOf({ push_subscription_status: { comparison: 'is', value: 'opted_in' } })).toEqual([bob]);
  expect(await idsOf({ last_used_app: { comparison: 'after', value: '2026-05-01' } })).toEqual([ada]);
  expect(await idsOf({ AND: [email('is', 'opted_in'), x('exists')] })).toEqual([]);
});

it('finds nobody of another workspace', async () => {
  await store.profiles.insertOne({ ...newProfile(newId(), 'other', at), custom: [{ k: 'x', v: 1, at }] });
  const [ada] = await add({ attributes: { x: 1 } });
  expect(await idsOf(x('equals', 1))).toEqual([ada]);
  expect(await store.audiences.count({ ws, audiences: [x('does_not_exist')] })).toBe(0);
});

it('goes on after a person, page by page, and counts the same', async () => {
  const all = await add(
    ...Array.from({ length: 2_300 }, (_, n): Wanted => ({ attributes: { x: `t${n % 3}` } })),
  );
  const wanted = all.filter((_, n) => n % 3 === 1).sort();
  for (const audience of [x('equals', 't1'), x('matches_regex', '^t1$')]) {
    expect(await idsOf(audience)).toEqual(wanted);
    expect(await idsOf(audience, wanted[9])).toEqual(wanted.slice(10));
    expect(await store.audiences.count({ ws, audiences: [audience] })).toBe(wanted.length);
  }
});

it('takes fewer of large people at once, and only the attributes that are asked for', async () => {
  const large = Array.from({ length: 300 }, () => 'x'.repeat(250));
  const all = await add(
    ...Array.from({ length: 100 }, (): Wanted => ({ attributes: { x: large, y: large, z: 'gold' } })),
  );
  const sizes = async (audience: unknown): Promise<number[]> => {
    const found: number[] = [];
    for await (const { ids, read } of store.audiences.pages({ ws, audiences: [audience], now })) {
      expect(read).toBe(ids.length);
      found.push(read);
    }
    return found;
  };
  expect(await sizes({ AND: [x('does_not_match_regex', 'a'), x('exists')] })).toEqual([54, 46]);
  const z = { custom_attribute: { custom_attribute_name: 'z', comparison: 'matches_regex', value: 'old' } };
  expect(await sizes(z)).toEqual([all.length]);
});

it('looks at no more people than it is told to, and at nobody of other workspaces', async () => {
  const profile = (ws: string) => ({ ...newProfile(newId(), ws, at), custom: [{ k: 'x', v: 1, at }] });
  await store.profiles.insertMany(Array.from({ length: 900 }, (_, n) => profile(n % 3 ? 'other' : ws)));
  const { db } = store;
  /** Documents that MongoDB has read for it, as its profiler tells. */
  const examined = async (work: () => Promise<unknown>): Promise<number> => {
    await db.command({ profile: 2 });
    await work();
    await db.command({ profile: 0 });
    const found = await db
      .collection('system.profile')
      .find({ ns: /\.profiles$/ })
      .toArray();
    await db.dropCollection('system.profile');
    return found.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
  };
  const nobody = { AND: [x('equals', 2), x('equals', 3)] };
  const look = (after: string, people: number) =>
    store.audiences.look({ ws, audiences: [nobody], after, people, most: 10 });
  expect(await examined(() => look('', 50))).toBe(50);
  const first = await look('', 50);
  expect(first).toMatchObject({ ids: [], isLast: false });
  expect(await look(first.last, 300)).toMatchObject({ ids: [], isLast: true });
  expect(await examined(() => look(first.last, 300))).toBe(250);
  expect(await examined(() => store.audiences.bytesOf({ ws, after: first.last }))).toBe(16);
});

it('finds no more than it is told to, and goes on behind the last one', async () => {
  const all = (await add(...Array.from({ length: 60 }, (): Wanted => ({ attributes: { x: 'a' } })))).sort();
  for (const audience of [x('equals', 'a'), x('matches_regex', 'a')])
    for (const among of [undefined, all.toReversed()]) {
      const look = (after: string, people: number, most: number) =>
        store.audiences.look({ ws, audiences: [audience], after, people, most, ...(among && { among }) });
      expect(await look('', 20, 5)).toMatchObject({ ids: all.slice(0, 5), last: all[4], isLast: false });
      expect(await look(all[4] ?? '', 20, 50)).toMatchObject({ ids: all.slice(5, 25), last: all[24] });
      expect(await look(all[24] ?? '', 50, 50)).toMatchObject({ ids: all.slice(25), isLast: true });
    }
});

describe('the query and the test of a person', () => {
  const long = 9_007_199_254_740_993n;
  const values: Value[] = ['gold', 'silver', '', 5, 6.5, -1, 0, long, long + 2n, true, false, null];
  const times = [
    '2026-06-14T12:00:00.000Z',
    '2026-06-16T12:00:00.000Z',
    '2020-01-01T00:00:00.000Z',
    '2026 soon',
  ];
  const lists: Value[] = [[], ['gold'], ['gold', 5], [5], [long], [long + 2n], [true], { gold: 'gold' }];
  const everything = [...values, ...times, ...lists];

  const comparisons = [
    ...['equals', 'not_equal', 'does_not_equal', 'includes_value', 'does_not_include_value'].flatMap(
      (comparison) => ['gold', 5, long, true, ''].map((value) => x(comparison, value)),
    ),
    ...['exists', 'does_not_exist'].map((comparison) => x(comparison)),
    ...['matches_regex', 'does_not_match_regex'].map((comparison) => x(comparison, 'o')),
    ...['greater_than', 'greater_than_or_equal_to', 'less_than', 'less_than_or_equal_to'].flatMap(
      (comparison) => [5, 0, 9_007_199_254_740_991, long].map((value) => x(comparison, value)),
    ),
    ...['ago', 'in_the_future'].flatMap((where) =>
      ['less', 'greater'].flatMap((than) =>
        [0, 1, 100].map((days) => x(`${than}_than_x_days_${where}`, days)),
      ),
    ),
    ...['after', 'before'].map((comparison) => x(comparison, '2026-01-01')),
  ];

  const expected = (audience: unknown, ids: readonly string[]): string[] => {
    const { test } = prepareAudience(audience);
    const who = { email: undefined, push: undefined, lastUsed: undefined };
    // The last one has no attribute.
    const candidates = ids.map((_, n) => ({
      ...who,
      attributes: new Map<string, unknown>(n < everything.length ? [['x', everything[n]]] : []),
    }));
    return ids.filter((_, n) => test(candidates[n] as (typeof candidates)[number], now)).sort();
  };

  it('agree on every comparison, on every kind of value, alone and nested', async () => {
    const ids = await add(...everything.map((value) => ({ attributes: { x: value, y: 1 } })), {
      attributes: { y: 1 },
    });
    const nested = comparisons.map((one, n) => {
      const [next, third] = [
        comparisons[(n * 7 + 3) % comparisons.length],
        comparisons[(n * 5 + 1) % comparisons.length],
      ];
      return n % 2 ? { AND: [one, { OR: [next, third] }] } : { OR: [one, { AND: [next, third] }] };
    });
    for (const audience of [...comparisons, ...nested])
      expect([audience, await idsOf(audience)]).toEqual([audience, expected(audience, ids)]);
  });
});
