/** What `roster export --all` writes, `roster import` brings into an empty workspace: profiles whose exports are equal, field by field. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { exportableFields } from '@roster/contract';
import { decimal } from '@roster/store';
import { serviceId } from '@roster/testkit';
import { daysAgo, interruptWhenThere, linesIn as lines, stays, useTrips } from './world.ts';

const workspaces = ['source', 'target', 'empty', 'strict'] as const;
type Ws = (typeof workspaces)[number];

const {
  store,
  inFolder,
  put,
  roster,
  exported,
  everybody,
  call: callOf,
} = useTrips(workspaces, {
  strict: ['users.track', 'users.export.ids'],
});

const call = (id: string, body: object) => callOf('source', id, body);
const track = (body: object) => call('users.track', body);
const rowsIn = async (kind: 'events' | 'purchases', of: Ws) =>
  (await store[kind].find()).filter(({ ws }) => ws === of);

/** Every field that can be sent. */
const whole = {
  external_id: 'whole',
  email: 'Whole@Example.com',
  phone: '+15005550006',
  first_name: 'Ada',
  last_name: 'Lovelace 😀',
  dob: '1984-02-29',
  gender: 'F',
  home_city: 'London',
  country: 'GB',
  language: 'en',
  time_zone: 'Europe/London',
  image_url: 'https://example.com/ada.png',
  current_location: { longitude: -0.1, latitude: 51.5 },
  date_of_first_session: '2025-01-31T12:00:00.123Z',
  date_of_last_session: '2025-02-28T12:00:00Z',
  marked_email_as_spam_at: '2025-02-28T12:00:00Z',
  uninstalled_at: '2025-02-28T12:00:00Z',
  email_click_tracking_disabled: true,
  email_open_tracking_disabled: false,
  facebook: { id: '7', likes: ['engines'], num_friends: 3 },
  twitter: { id: 7, screen_name: 'ada', followers_count: 1, friends_count: 2, statuses_count: 3 },
  attributed_ad: 'ad',
  attributed_adgroup: 'adgroup',
  attributed_campaign: 'campaign',
  attributed_source: 'source',
  email_subscribe: 'opted_in',
  push_subscribe: 'opted_in',
  push_opted_in_at: '2025-02-28T12:00:00Z',
  subscription_groups: [
    { subscription_group_id: 'news', subscription_state: 'subscribed' },
    { subscription_group_id: 'texts', subscription_state: 'unsubscribed' },
  ],
  apps: [
    {
      name: 'Shop',
      platform: 'iOS',
      version: '1',
      sessions: '3',
      first_used: daysAgo(9),
      last_used: daysAgo(1),
    },
    { name: 'Another', platform: 'Web' },
  ],
  devices: [
    { device_id: 'z-12345678', model: 'Mill', os: '1', carrier: 'c', idfv: 'v', ad_tracking_enabled: true },
    { device_id: 'a-12345678', model: 'Mill' },
  ],
  push_tokens: [{ app_id: 'web', token: 'whole-token', platform: 'web', device_id: 'z-12345678' }],
  campaigns_received: [{ name: 'Spring', last_received: daysAgo(3), converted: false, in_control: false }],
  canvases_received: [
    { name: 'Welcome', api_canvas_id: 'v-1', steps_received: [{ name: 'One', last_received: daysAgo(3) }] },
  ],
  cards_clicked: [{ name: 'Card' }],
};

const odd = JSON.parse(
  `{"external_id": "odd/😀 \\"id\\"", "__proto__": {"polluted": true}, "constructor": "c", "a.b": 1.5, "time": "2025-01-31T12:00:00Z",
    "emoji 😀": "\\u2028 \\n 😀", "nested": {"__proto__": {"x": [{"y": 0}]}, "deep": {"deeper": {"on": "2025-01-31"}}},
    "objects": [{"id": 1, "__proto__": {"a": 1}}, {"id": 2, "when": {"$time": "2025-01-31T12:00:00Z"}}],
    "tags": ["b", "a", "2025-01-31T12:00:00Z"], "none": [], "empty": {}, "no": false, "zero": 0, "text": "",
    "custom_events": "mine", "total_revenue": 5, "created_at": "x", "purchases": [1, 2], "type": "user", "name": "n", "product_id": "p"}`,
);

const properties = JSON.parse(
  `{"__proto__": {"a": [1, {"b": null}]}, "emoji 😀": "\\u2028 😀", "list": [{"__proto__": 1}, "2025-01-31"], "null": null, "n": 1e-7}`,
);

const occurrencesOf = (who: object, n: number) => ({
  events: Array.from({ length: n }, (_, i) => ({
    ...who,
    name: ['seen', '__proto__', 'bought 😀'][i % 3],
    time: daysAgo(i * 30),
    ...(i % 2 === 0 && { properties, app_id: 'web' }),
  })),
  purchases: Array.from({ length: n }, (_, i) => ({
    ...who,
    product_id: ['tea', 'toString', 'kühl 🧊'][i % 3],
    currency: ['EUR', 'USD', 'JPY'][i % 3],
    price: 0.1 * (i + 1),
    quantity: 1 + i,
    time: daysAgo(i * 30),
    ...(i % 2 === 0 && { properties }),
  })),
});

const shared = 'shared@example.com';
const alias = (name: string, label = 'crm') => ({ user_alias: { alias_name: name, alias_label: label } });

const fill = async (): Promise<void> => {
  await track({ attributes: [whole, odd], ...occurrencesOf({ external_id: 'whole' }, 7) });
  await track(occurrencesOf({ external_id: odd.external_id }, 4));
  await track({ attributes: [{ email: shared, first_name: 'By email', email_subscribe: 'opted_in' }] });
  await track(occurrencesOf({ email: shared }, 5));
  await track({
    attributes: [{ ...alias('a1'), _update_existing_only: false, first_name: 'By alias', email: shared }],
  });
  await track(occurrencesOf(alias('a1'), 3));
  await track({ attributes: [{ phone: '+12025550100', first_name: 'By phone', plan: 'x' }] });
  await track(occurrencesOf({ phone: '+12025550100' }, 2));
  await track({ attributes: [{ email: 'other@example.com', phone: '+12025550100' }] });
  await track(occurrencesOf({ email: 'other@example.com' }, 2));
  // Several people with one email: the first says something about it, the others come later, and one of them says something else.
  await track({ attributes: [{ external_id: 's1', email: shared, email_subscribe: 'unsubscribed' }] });
  await track({ attributes: [{ external_id: 's2', email: shared }] });
  await track({ attributes: [{ external_id: 's3', email: shared.toUpperCase(), first_name: 'Three' }] });
  await track(occurrencesOf({ external_id: 's2' }, 3));
  const push_tokens = [{ app_id: 'web', token: 'only-token', device_id: 'only-12345678' }];
  await track({ attributes: [{ push_token_import: true, push_tokens, first_name: 'By token' }] });
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`attribute ${n}`, 'x'.repeat(250)]));
  await track({ attributes: [{ external_id: 'many', ...many }] });
  await nameThem();
  await put('source', 'merged', {
    external_id: 'merged',
    absorbed: [serviceId('away')],
    former_ids: ['formerly'],
  });
  const row = {
    ws: 'source',
    request: 'r',
    index: 0,
    profile: serviceId('away'),
    at: 1,
    time: new Date(daysAgo(2)),
  };
  await store.events.insert([{ ...row, name: 'seen away' }]);
  const bought = { product_id: 'tea', currency: 'EUR', price: 0.1, quantity: 3, revenue: decimal('0.3') };
  await store.purchases.insert([{ ...row, ...bought }]);
};

const aliasesOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => ({ alias_name: `${prefix}-${n}`, alias_label: `label ${n} 😀` }));

/** More aliases than a request takes, a second one of a person with nothing else, and ids that were given up. */
const nameThem = async (): Promise<void> => {
  for (const [id, count] of [
    ['whole', 45],
    ['s1', 1],
    ['many', 20],
  ] as const) {
    const user_aliases = aliasesOf(count, id).map((one) => ({ external_id: id, ...one }));
    await call('users.alias.new', { user_aliases });
  }
  await call('users.alias.new', { user_aliases: aliasesOf(3, 'alone') });
  const [kept, ...more] = aliasesOf(3, 'alone');
  await track({ attributes: [{ user_alias: kept, first_name: 'By aliases', plan: 'pro' }] });
  await track(occurrencesOf({ user_alias: kept }, 2));
  for (const one of more)
    await call('users.merge', {
      merge_updates: [{ identifier_to_merge: { user_alias: one }, identifier_to_keep: { user_alias: kept } }],
    });
  await track({ attributes: [{ external_id: 'id-1', first_name: 'Renamed' }] });
  await track(occurrencesOf({ external_id: 'id-1' }, 2));
  for (const n of [1, 2])
    await call('users.external_ids.rename', {
      external_id_renames: [{ current_external_id: `id-${n}`, new_external_id: `id-${n + 1}` }],
    });
  await call('users.alias.new', {
    user_aliases: [{ external_id: 'id-3', alias_name: 'renamed', alias_label: 'crm' }],
  });
};

const exportTo = (out: string, ...more: string[]) =>
  roster('source', 'export', '--all', '--workspace', 'source', '--out', out, '--json', ...more);

describe('a workspace', () => {
  let file: string;
  beforeAll(async () => {
    file = inFolder('people.ndjson');
    await fill();
    const demo = await roster('source', 'demo', '--people', '60', '--days', '60');
    expect(demo.err.includes('rror') ? demo.err : demo.code).toBe(0);
  });

  it('comes out as lines, one for each person, event and purchase', async () => {
    const { code, out, err } = await exportTo(file);
    expect([code, err]).toEqual([0, expect.anything()]);
    const report = JSON.parse(out);
    const all = lines(file);
    const count = (type: string) => all.filter((line) => line.type === type).length;
    expect(report).toMatchObject({
      complete: true,
      fresh: true,
      people: await store.profiles.countDocuments({ ws: 'source' }),
    });
    expect(count('event')).toBe(report.events);
    expect(count('event')).toBe((await rowsIn('events', 'source')).length);
    expect(count('purchase')).toBe((await rowsIn('purchases', 'source')).length);
    expect(report.left_out).toEqual({});
    expect([existsSync(`${file}.part`), existsSync(`${file}.roster-export.json`)]).toEqual([false, false]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('comes into another one: every export is equal, field by field, save what the docs list', async () => {
    const { code, out, err } = await roster('target', 'import', file, '--wait', '--json');
    expect([code, code === 0 ? '' : out + err]).toEqual([0, '']);
    const [before, after] = [await everybody('source'), await everybody('target')];
    expect(after).toHaveLength(before.length);
    for (const [n, user] of before.entries()) expect(after[n]).toEqual(user);
    const travelled = new Set(before.flatMap((user) => Object.keys(user)));
    expect([...travelled].toSorted()).toEqual(
      exportableFields.filter((name) => !stays.includes(name)).toSorted(),
    );
    const propertiesIn = async (ws: Ws) =>
      [...new Set((await rowsIn('events', ws)).map(({ properties }) => properties))].toSorted();
    expect(await propertiesIn('target')).toEqual(await propertiesIn('source'));
  });

  it('comes in with every name that a person has, or had', async () => {
    const namesIn = async (ws: Ws) => {
      const people = await store.profiles.find({ ws }).toArray();
      return people
        .map(({ external_id, aliases = [], former_ids = [] }) => [external_id, former_ids, aliases])
        .filter(([, former, aliases]) => former?.length || aliases?.length)
        .map((one) => JSON.stringify(one))
        .toSorted();
    };
    const names = await namesIn('source');
    expect(names.join()).toContain('["id-3",["id-1","id-2"],[{"label":"crm","name":"renamed"}]]');
    expect(names.join()).toContain('["merged",["formerly"],[]]');
    expect(await namesIn('target')).toEqual(names);
    for (const who of [{ external_ids: ['id-1'] }, { user_aliases: aliasesOf(3, 'alone').slice(2) }])
      expect(await exported('target', who)).toEqual(await exported('source', who));
  });

  it('comes in once, though it is imported once more', async () => {
    const counts = async () => [
      await store.profiles.countDocuments({ ws: 'target' }),
      (await rowsIn('events', 'target')).length,
    ];
    const before = await counts();
    const { code, out, err } = await roster('target', 'import', file, '--restart', '--wait');
    expect([code, code === 0 ? '' : out + err]).toEqual([0, '']);
    expect(await counts()).toEqual(before);
  });

  it('refuses an alias that another person has, as a row that can be corrected', async () => {
    const path = inFolder('taken.ndjson');
    const [taken] = aliasesOf(1, 's1');
    const line = { type: 'alias', external_id: 's2', ...taken };
    writeFileSync(path, `${JSON.stringify(line)}\n${JSON.stringify({ ...line, alias_name: 'free' })}\n`);
    const { code, out } = await roster('target', 'import', path, '--wait');
    expect([code, out]).toEqual([3, expect.stringContaining('1 accepted, 1 refused')]);
    expect(lines(`${path}.refused.ndjson`)).toMatchObject([{ line: 1, code: 'ALIAS_NAME_TAKEN', row: line }]);
    expect(await exported('target', { external_ids: ['s2'] })).toMatchObject([
      { user_aliases: [JSON.stringify({ ...taken, alias_name: 'free' })] },
    ]);
  });

  it('leaves names out when the key may not give them, and says what it lacks', async () => {
    const path = inFolder('names.ndjson');
    const isAbout = ({ attributes }: Record<string, unknown>) =>
      JSON.stringify(attributes)?.includes('"external_id":"id-3"');
    const all = lines(file).filter(isAbout);
    writeFileSync(path, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { code, out, err } = await roster('strict', 'import', path, '--wait', '--json');
    expect([code, JSON.parse(out).left_out]).toEqual([
      0,
      expect.objectContaining({ user_aliases: 1, former_external_ids: 1 }),
    ]);
    expect(err).toMatch(/users\.external_ids\.rename[\s\S]*users\.alias\.new/);
    expect((await store.profiles.find({ ws: 'strict' }).toArray()).map((one) => one.external_id)).toEqual([
      'id-3',
    ]);
  });

  it('would not be equal if anything got lost', async () => {
    const less = inFolder('less.ndjson');
    const all = readFileSync(file, 'utf8').split('\n');
    const lost = all.findLastIndex((line) => line.includes('"type":"event"') && line.includes('"whole"'));
    writeFileSync(less, all.toSpliced(lost, 1).join('\n'));
    expect((await roster('empty', 'import', less, '--wait')).code).toBe(0);
    expect(await exported('empty', { external_ids: ['whole'] })).not.toEqual(
      await exported('source', { external_ids: ['whole'] }),
    );
  });

  it('is of one moment, whatever is written meanwhile and wherever it stopped and went on', async () => {
    const [one, two] = [inFolder('one.ndjson'), inFolder('two.ndjson')];
    expect((await exportTo(one)).code).toBe(0);
    // As a crash leaves it: a place, and more in the file than belongs to it.
    const stopped = await stoppedHalfWay(two);
    await track({ attributes: [{ external_id: 'whole', first_name: 'Later' }, { external_id: 'new' }] });
    await track(occurrencesOf({ external_id: 'whole' }, 2));
    const { code, err } = await exportTo(two, '--resume');
    expect([code, err]).toEqual([0, expect.stringContaining('Going on')]);
    expect(stopped).toBeLessThan(statSync(two).size);
    expect(readFileSync(two, 'utf8')).toBe(readFileSync(one, 'utf8'));
  });

  const stoppedHalfWay = async (path: string): Promise<number> => {
    const began = exportTo(path);
    const quiet = interruptWhenThere(`${path}.part`);
    const { code, err } = await began.finally(quiet);
    expect([code, err]).toEqual([1, expect.stringContaining('--resume')]);
    const { bytes } = JSON.parse(readFileSync(`${path}.roster-export.json`, 'utf8')).place;
    writeFileSync(`${path}.part`, 'half a li', { flag: 'a' });
    expect(existsSync(path)).toBe(false);
    return bytes;
  };

  it('does not go on with a moment that MongoDB does not keep any more, and says what to do', async () => {
    const path = inFolder('old.ndjson');
    await stoppedHalfWay(path);
    const state = `${path}.roster-export.json`;
    writeFileSync(
      state,
      JSON.stringify({ ...JSON.parse(readFileSync(state, 'utf8')), moment: '1700000000.1' }),
    );
    const { code, err } = await exportTo(path, '--resume');
    expect([code, err]).toEqual([1, expect.stringContaining('minSnapshotHistoryWindowInSeconds')]);
    expect((await exportTo(path)).code).toBe(0);
  });

  it('names the people that no line can mean, and says so by its exit code', async () => {
    await put('source', 'nothing', {});
    for (const [id, value] of [
      ['twin-1', 'twin@example.com'],
      ['twin-2', 'Twin@example.com'],
    ] as const)
      await put('source', id, { email_key: 'twin@example.com' }, [{ kind: 'field', name: 'email', value }]);
    const { code, out } = await exportTo(inFolder('left.ndjson'));
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({
      left_behind: { no_identifier: 1, shared_identifier: 1 },
      first_left_behind: [
        { service_id: 'nothing', reason: 'no_identifier' },
        { service_id: 'twin-2', reason: 'shared_identifier' },
      ],
    });
  });

  it('is asked for rightly, or not at all', async () => {
    expect((await roster('source', 'export', '--workspace', 'source')).code).toBe(2);
    expect((await roster('source', 'export', '--all', '--workspace', 'source', '--resume')).code).toBe(2);
    expect((await exportTo(file)).code).toBe(2);
    expect(
      (await roster('source', 'export', '--all', '--workspace', 'nobody', '--out', inFolder('x'))).code,
    ).toBe(3);
  });
});
