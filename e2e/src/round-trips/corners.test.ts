/** Round trips of people who are hard to move: each in a small workspace of their own, so that all stand in one request. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { daysAgo, interruptWhenThere, linesIn, type User, useTrips } from './world.ts';

const pairs = ['sharers', 'long', 'push', 'left', 'piped'] as const;
type Pair = (typeof pairs)[number];
type Ws = Pair | `${Pair}-target`;

const { store, inFolder, envOf, call, roster, everybody } = useTrips<Ws>(
  pairs.flatMap((pair): Ws[] => [pair, `${pair}-target`]),
);

const track = (ws: Ws, body: object) => call(ws, 'users.track', body);

const exportOf = async (ws: Pair) => {
  const file = inFolder(`${ws}.ndjson`);
  const { code, out } = await roster(ws, 'export', '--all', '--workspace', ws, '--out', file, '--json');
  return { file, code, report: JSON.parse(out) };
};

/** What both workspaces show afterwards. */
const moved = async (ws: Pair): Promise<{ before: User[]; after: User[] }> => {
  const { file } = await exportOf(ws);
  const { code, out, err } = await roster(`${ws}-target`, 'import', file, '--wait');
  expect([code, code === 0 ? '' : out + err]).toEqual([0, '']);
  return { before: await everybody(ws), after: await everybody(`${ws}-target`) };
};

it('a statement about an email goes with everybody who has it', async () => {
  const email = 'shared@example.com';
  const said = {
    email_subscribe: 'opted_in',
    subscription_groups: [{ subscription_group_id: 'news', subscription_state: 'subscribed' }],
  };
  await track('sharers', { attributes: [{ email, ...said }] });
  await track('sharers', { attributes: [{ external_id: 'b', email, plan: 'pro' }] });
  await track('sharers', { attributes: [{ external_id: 'c', email, email_subscribe: 'unsubscribed' }] });
  await track('sharers', { attributes: [{ external_id: 'd', email: 'Shared@Example.com' }] });
  const { before, after } = await moved('sharers');
  expect(before.map(({ email_subscribe }) => email_subscribe)).toEqual(Array(4).fill('unsubscribed'));
  expect(after).toEqual(before);
});

it('lists of more items than a request takes arrive as a whole', async () => {
  const cards = (from: number) =>
    Array.from({ length: 500 }, (_, n) => ({ name: `card ${from + n} ${'x'.repeat(500)}` }));
  const who = { external_id: 'long' };
  for (const from of [0, 500, 1000, 1500])
    await track('long', { attributes: [{ ...who, cards_clicked: cards(from) }] });
  await track('long', { attributes: [{ ...who, first_name: 'Ada', apps: [{ name: 'Shop', sessions: 3 }] }] });
  const { before, after } = await moved('long');
  expect(before).toMatchObject([
    { cards_clicked: { length: 2000 }, apps: ['{"name":"Shop","sessions":"3"}'] },
  ]);
  expect(after).toEqual(before);
});

it('a time of opting in that was removed does not come back as the time of the import', async () => {
  await track('push', { attributes: [{ external_id: 'a', push_subscribe: 'opted_in' }] });
  await track('push', { attributes: [{ external_id: 'a', push_opted_in_at: null }] });
  await track('push', { attributes: [{ external_id: 'b', push_subscribe: 'opted_in' }] });
  const { before, after } = await moved('push');
  expect(before.map((user) => 'push_opted_in_at' in user)).toEqual([false, true]);
  expect(after).toEqual(before);
});

it('what cannot travel is counted', async () => {
  const token = (name: string) => ({ app_id: 'web', token: name });
  const push = (...names: string[]) => ({ push_token_import: true, push_tokens: names.map(token) });
  await track('left', { attributes: [{ external_id: 'a' }, push('one', 'shared'), push('two')] });
  await track('left', { events: [{ external_id: 'a', name: 'seen', time: daysAgo(1) }] });
  const [one, two] = await store.profiles
    .find({ ws: 'left', external_id: { $exists: false } })
    .sort({ _id: 1 })
    .toArray();
  const row = {
    ws: 'left',
    request: 'r',
    index: 0,
    profile: one?._id ?? '',
    at: 1,
    time: new Date(daysAgo(2)),
  };
  await store.events.insert([{ ...row, name: 'seen' }]);
  const bought = { product_id: 'tea', currency: 'EUR', price: 1, quantity: 1 };
  await store.purchases.insert([0, 1].map((index) => ({ ...row, ...bought, index })));
  const totals = { ws: 'left', profile: one?._id ?? '', first: row.time, last: row.time, name: 'old' };
  await store.transact(async (session) => {
    await store.totals.add(session, [
      { ...totals, of: 'events', count: 5 },
      { ...totals, of: 'purchases', count: 7, revenue: '1' },
    ]);
  });
  // A token of the first one that the second one has too.
  const shared = [one, two].map((person) => person?.token_keys?.find((key) => key.includes('shared')));
  const key = shared.find((found) => found !== undefined);
  await store.profiles.updateMany({ _id: { $in: [one?._id ?? '', two?._id ?? ''] } }, [
    { $set: { token_keys: { $setUnion: ['$token_keys', [key ?? '']] } } },
  ]);
  const { code, report } = await exportOf('left');
  expect([code, report]).toMatchObject([
    0,
    {
      left_out: {
        'events that were rolled up': 5,
        'purchases that were rolled up': 7,
        'events of push tokens': 1,
        'purchases of push tokens': 2,
        'push tokens that another person has too': 1,
      },
    },
  ]);
});

/** The command line as people use it, in processes of their own. */
const shell = (command: string, env: Record<string, string>) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const place = { env: { ...env, PATH: process.env.PATH } };
    execFile('bash', ['-c', `set -o pipefail; ${command}`], place, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

describe('from one command into the other', () => {
  const main = join(__dirname, '../../../bundle/roster.js');
  const node = `'${process.execPath}' '${main}'`;
  const exporting = `${node} export --all --workspace piped`;

  beforeAll(async () => {
    const note = 'x'.repeat(250);
    const notes = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`note ${n}`, `${note}${n}`]));
    for (let from = 0; from < 1000; from += 50)
      await track('piped', {
        attributes: Array.from({ length: 50 }, (_, n) => ({ external_id: `p${from + n}`, ...notes })),
      });
  });

  it('everybody goes through, and each tells the truth about its part', async () => {
    const importing = `ROSTER_API_KEY=$TARGET_KEY ${node} import - --wait --refused '${inFolder('piped.refused')}'`;
    const TARGET_KEY = envOf('piped-target').ROSTER_API_KEY;
    const { code, out, err } = await shell(`${exporting} | ${importing}`, {
      ...envOf('piped'),
      TARGET_KEY,
    });
    expect([code, err]).toEqual([0, expect.stringContaining('1,000 people')]);
    expect(out).toContain('1,000 accepted, 0 refused');
    expect(await everybody('piped-target')).toEqual(await everybody('piped'));
  });

  it('waits for a reader who is slow, and stops when there is none any more', async () => {
    const env = envOf('piped');
    const slow = await shell(`${exporting} | (sleep 1; cat) | wc -l`, env);
    expect([slow.code, slow.out.trim()]).toEqual([0, '1000']);
    const broken = await shell(`${exporting} | head -n 1 > /dev/null`, env);
    expect(broken.code).toBe(1);
    expect(broken.err).toContain('the reader has gone');
  });

  it('comes as a file too, and says at the end what it is', async () => {
    const { file } = await exportOf('piped');
    expect(linesIn(file)).toHaveLength(1000);
    const { out } = await roster('piped', 'export', '--all', '--workspace', 'piped', '--out', `${file}.2`);
    expect(out).toMatch(/exported in 0:\d\d[\s\S]*1,000 people, 0 events, 0 purchases, [\d,]+ bytes/);
  });
});

it('a file that another program cut short is not continued', async () => {
  const file = inFolder('short.ndjson');
  const stopped = roster('piped', 'export', '--all', '--workspace', 'piped', '--out', file);
  const quiet = interruptWhenThere(`${file}.part`, 1);
  const { code } = await stopped.finally(quiet);
  expect(code).toBe(1);
  writeFileSync(`${file}.part`, '');
  const args = ['export', '--all', '--workspace', 'piped', '--out', file];
  const { code: refused, err } = await roster('piped', ...args, '--resume');
  expect([refused, err]).toEqual([2, expect.stringContaining('shorter')]);
  // Begun anew, what was known of the other one is forgotten.
  expect((await roster('piped', ...args)).code).toBe(0);
});
