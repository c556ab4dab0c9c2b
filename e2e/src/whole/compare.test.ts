/** `roster compare` between a double of the hosted service and the real services: it tells what differs, and nothing else. */
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostedPeople, useFolder, usePeer } from '@roster/testkit';
import {
  byExport,
  byGroups,
  byStatus,
  createComparing,
  differencesIn,
  exporting,
  movedFields,
  type Read,
} from '../comparing.ts';
import { createHostedReads, type Told } from '../hosted-reads.ts';
import { createHostedService } from '../hosted-service.ts';
import { startRoster } from '../run-roster.ts';
import { useWhole, useWorkspace } from '../shared.ts';

const apps = [{ id: 'canon-droid', name: 'MovieCanon', platform: 'android' as const }];
const system = useWorkspace('compare', (usual) => ({ ...usual, apps: [...usual.apps, ...apps] }));
const whole = useWhole();
const inFolder = useFolder();

const groups = [{ id: 'demo-news', name: 'News', channel: 'email' }];
const people = hostedPeople(20).map((person) => ({ ...person }) as Record<string, unknown>);
const hosted = createHostedReads(groups, people);
const exportOf = createHostedService(people, 'hosted');
const peer = usePeer((request, response) => void hosted.answer(request, response));
const exports = usePeer((request, response) => void exportOf.answer(request, response));

const env = () => ({ ...whole.variables, ROSTER_URL: whole.base, ROSTER_API_KEY: system.key });
const { compared, readsBehindWrites } = createComparing({
  ...{ system, env, inFolder },
  from: () => peer.url,
});

const id = 'planted';
const recently = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const planted = {
  attributes: [
    {
      ...{ external_id: id, email: 'planted@example.com', first_name: 'Ada', dob: '1980-12-21' },
      ...{ email_subscribe: 'opted_in', last_coordinates: [-87.8, 41.8], country: 'US' },
      push_tokens: [{ app_id: 'canon-droid', token: 'token-planted', device_id: 'device-1' }],
      ...{ level: 7, size: 12, likes: ['a', 'b'], seen: '2026-01-02T03:04:05Z', member: true, price: 19.99 },
      address: { city: { name: 'Bonn', zip: '53111' } },
      subscription_groups: [{ subscription_group_id: 'demo-news', subscription_state: 'subscribed' }],
    },
  ],
  events: [2, 1].map((days) => ({ external_id: id, name: 'opened', time: recently(days) })),
  purchases: [{ external_id: id, product_id: 'tea', currency: 'USD', price: 5, time: recently(1) }],
};

/** Put into the text of the answer there. */
const text =
  (from: string | RegExp, to: string) =>
  (told: Told): Told => ({ ...told, text: told.text.replace(from, to) });
const header =
  (name: string, value: string) =>
  (told: Told): Told => ({ ...told, headers: { ...told.headers, [name]: value } });

const write: Read = (call) => call('POST', '/users/track', { attributes: [{ external_id: id, level: 7 }] });

const differences: [kind: string, read: Read, plant: (told: Told) => Told, place: string][] = [
  [
    'a missing member',
    byExport,
    text('"first_name"', '"last_name":"Byron","first_name"'),
    'users[].last_name (missing)',
  ],
  ['a member only here', byExport, text('"country":"US"', '"home_city":null'), 'users[].country (only here)'],
  ['another value', byExport, text('"Ada"', '"ada"'), 'users[].first_name'],
  ['another type', byExport, text('"level":7', '"level":"7"'), 'users[].custom_attributes.level'],
  [
    'a number beyond 2^53',
    byExport,
    text('"size":12', '"size":9007199254740993'),
    'users[].custom_attributes.size',
  ],
  ['null for a value', byExport, text('"planted@example.com"', 'null'), 'users[].email (only here)'],
  ['an order that counts', byExport, text('["a","b"]', '["b","a"]'), 'users[].custom_attributes.likes[]'],
  [
    'coordinates in another order',
    byExport,
    text('[-87.8,41.8]', '[41.8,-87.8]'),
    'users[].last_coordinates[]',
  ],
  ['a changed time', byExport, text('03:04:05Z', '03:04:06Z'), 'users[].custom_attributes.seen'],
  ['a changed date', byExport, text('1980-12-21', '1980-12-22'), 'users[].dob'],
  ['another decimal', byExport, text('19.99', '19.98'), 'users[].custom_attributes.price'],
  ['false for true', byExport, text('"member":true', '"member":false'), 'users[].custom_attributes.member'],
  ['a nested attribute', byExport, text('53111', '53112'), 'users[].custom_attributes.address.city.zip'],
  [
    'a lost event',
    byExport,
    text('"custom_events":[', '"custom_events":[{"name":"left","count":1},'),
    'users[].custom_events[] (how many)',
  ],
  ['a count', byExport, text('"count":2', '"count":3'), 'users[].custom_events[].count'],
  ['a purchase of another name', byExport, text('"tea"', '"milk"'), 'users[].purchases[].name'],
  ['revenue', byExport, text('"total_revenue":5', '"total_revenue":6'), 'users[].total_revenue'],
  ['one consent', byExport, text('"opted_in"', '"subscribed"'), 'users[].email_subscribe'],
  ['one push token', byExport, text('token-planted', 'token-plantee'), 'users[].push_tokens[].token'],
  [
    'an alias',
    byExport,
    text('"user_aliases":[', '"user_aliases":[{"alias_name":"a","alias_label":"b"}'),
    'users[].user_aliases (missing)',
  ],
  ['an extra person', byExport, text('"users":[', '"users":[{"external_id":"other"},'), 'users[] (how many)'],
  ['a missing person', byExport, text(/"users":\[.*\],/, '"users":[],'), 'users[] (how many)'],
  [
    'an id that is unknown there',
    byExport,
    text('"message"', '"invalid_user_ids":["eve"],"message"'),
    'invalid_user_ids (missing)',
  ],
  ['another status', byExport, (told) => ({ ...told, status: 200 }), 'status 200, here 201'],
  ['another message', byExport, text('success', 'queued'), 'message'],
  ['another media type', byExport, header('content-type', 'text/plain'), 'header content-type'],
  ['a header that clients follow', byExport, header('link', '</more>; rel="next"'), 'header link (missing)'],
  ['an empty body', byExport, (told) => ({ ...told, text: '' }), '(the body)'],
  ['broken JSON', byExport, text(/}$/, ''), '(the body)'],
  ['a state in a group', byStatus, text('"Subscribed"', '"Unsubscribed"'), 'status.planted'],
  [
    'a person without a state',
    byStatus,
    text('"planted"', '"eve":"Unknown","planted"'),
    'status.eve (missing)',
  ],
  [
    'a group of a person',
    byGroups,
    text(/"subscription_groups":\[.*?\]/, '"subscription_groups":[]'),
    'users[].subscription_groups (only here)',
  ],
  ['how many there are in all', byGroups, text('"total_count":1', '"total_count":2'), 'total_count'],
  [
    'how many entries were taken',
    write,
    text('"attributes_processed":1', '"attributes_processed":2'),
    'attributes_processed',
  ],
  [
    'an error of an entry',
    write,
    text('"message"', '"errors":[{"type":"no","input_array":"events","index":0}],"message"'),
    'errors (missing)',
  ],
];

describe('planted differences', () => {
  it('are none before one is planted', async () => {
    const report = await compared(async (call) => {
      await call('POST', '/users/track', planted);
      for (const read of [byExport, byStatus, byGroups, write]) await read(call, id);
    });
    expect([differencesIn(report), report.notCompared]).toEqual([{}, {}]);
  });

  it('are told, all of them', async () => {
    const report = await compared(async (call) => {
      for (const [, read, plant] of differences) {
        hosted.instead = plant;
        await read(call, id);
      }
      hosted.instead = (told) => told;
    });
    const found = Object.values(report.operations).flatMap(({ places }) => Object.entries(places));
    const told = found.flatMap(([place, times]) => Array<string>(times).fill(place));
    expect(told.toSorted()).toEqual(differences.map(([, , , place]) => place).toSorted());
    expect(told.length).toBeGreaterThan(24);
    expect(report.notCompared).toEqual({});
  });
});

it('finds no difference in reads right behind writes', async () => {
  expect(await readsBehindWrites(60)).toEqual({ differences: {}, counted: 120 });
});

describe('people who were just moved as docs/migrate.md says', () => {
  const ids = people.flatMap((person) => Object(person).external_id ?? []) as string[];

  beforeAll(async () => {
    symlinkSync(join(__dirname, '../../../examples'), inFolder('examples'));
    writeFileSync(inFolder('ids.txt'), ids.map((one) => `${one}\n`).join(''));
    const command = 'node examples/hosted-export.mjs ids.txt > people.ndjson';
    const variables = { ...process.env, HOSTED_URL: exports.url, HOSTED_KEY: 'hosted' };
    await promisify(execFile)('bash', ['-ec', command], { cwd: inFolder(), env: variables });
    const { ended } = startRoster(env(), ['import', inFolder('people.ndjson'), '--type', 'user', '--wait']);
    expect(await ended).toBe(0);
    // Their groups are read there, and sent: they are not in the export.
    for (const [n, external_id] of ids.entries()) {
      if (n % 2 === 1) continue;
      hosted.setState(external_id, 'demo-news', 'unsubscribed');
      const subscription_groups = [
        { subscription_group_id: 'demo-news', subscription_state: 'unsubscribed' },
      ];
      await system.track({ attributes: [{ external_id, subscription_groups }] });
    }
  });

  it('read the same by every operation', async () => {
    const report = await compared(async (call) => {
      for (const one of ids) {
        await exporting(movedFields)(call, one);
        await byStatus(call, one);
        await byGroups(call, one);
      }
      await call('POST', '/users/export/ids', {
        external_ids: ids,
        fields_to_export: movedFields.split(' '),
      });
      for (const path of ['content_blocks/list', 'preference_center/v1/list', 'cdi/integrations'])
        await call('GET', `/${path}`);
      await call('GET', '/messages/scheduled_broadcasts?end_time=2036-12-31T00:00:00Z');
    });
    expect([differencesIn(report), report.notCompared]).toEqual([{}, {}]);
  });

  it('lack what the page says stays behind, and nothing else', async () => {
    const report = await compared((call) => byExport(call, 'hosted-0'));
    expect(differencesIn(report)).toEqual({
      'users.export.ids': {
        'users[].custom_events (missing)': 1,
        'users[].purchases (missing)': 1,
        'users[].total_revenue (missing)': 1,
      },
    });
  });
});
