/** The page about moving to Roster: its commands and its program word by word, with a service that stands for the hosted one. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as client from '@roster/client';
import { hostedPeople, until, useFolder, usePeer } from '@roster/testkit';
import { transformSync } from 'esbuild';
import request from 'supertest';
import { createHostedService } from '../hosted-service.ts';
import { startRoster } from '../run-roster.ts';
import { useWhole } from '../shared.ts';

const page = readFileSync(join(__dirname, '../../../docs/migrate.md'), 'utf8');
const blocks = [...page.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(([, kind, text = '']) => ({
  kind,
  text,
}));
const [program = '', ...programs] = blocks.filter(({ kind }) => kind === 'ts').map(({ text }) => text);
const [preparation = '', byIds = '', bySegment = '', groups = '', stream = '', session = '', ...others] =
  blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text);

const whole = useWhole();
const inFolder = useFolder();
let key = '';

/** The second one has a member that Roster does not know. */
const answers: { [path: string]: object } = {
  '/users/track': { message: 'success', attributes_processed: 1 },
  '/users/export/ids': {
    message: 'success',
    users: [{ external_id: 'moved', apps: [{ name: 'Shop' }], created_at: 'then' }],
  },
};

const hosted = usePeer((request, response) =>
  request.resume().on('end', () => {
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[request.url ?? '']));
  }),
);

/** A command as it stands in the page, in the folder of its files. */
const start = (words: readonly string[]) => {
  const env = { ...whole.variables, ROSTER_URL: whole.base, ROSTER_API_KEY: key };
  return startRoster(env, words, inFolder());
};

const commandsIn = (text: string): string[][] =>
  [...text.matchAll(/npm run roster -- ([^\n`]+)/g)].map(([, words = '']) => words.split(' '));

const peopleImports = () =>
  commandsIn(page).filter(([name, file]) => name === 'import' && file === 'people.ndjson');

const roster = () => new client.Roster({ url: whole.base, key });

const exported = async (id: string, field: 'custom_attributes' | 'custom_events') => {
  const asked = { external_ids: [id], fields_to_export: ['external_id', field] };
  const { users } = await roster().users.export.ids(asked as client.Body<'users.export.ids'>);
  return users[0];
};

const groupsBy = async (named: object) => {
  const asked = { ...named, fields_to_export: ['external_id', 'subscription_groups'] };
  const { users } = await roster().users.export.ids(asked as client.Body<'users.export.ids'>);
  return Object(users[0]).subscription_groups;
};

/** By which its groups can be asked for. */
const namesIn = (person: object): unknown[] => {
  const { external_id, email, phone } = person as Record<string, unknown>;
  return [external_id, email, phone];
};

it('has no block that is not tried here', () => expect([programs, others]).toEqual([[], []]));

it('makes a workspace and a key', async () => {
  const [, text = '', name = ''] = /^echo '(.*)' > (\S+)$/m.exec(preparation) ?? [];
  const there = [
    { id: 'there-news', name: 'News', channel: 'email' },
    { id: 'there-texts', name: 'Texts', channel: 'sms' },
  ];
  writeFileSync(inFolder(name), `${text}\nsubscription_groups: ${JSON.stringify(there)}\n`);
  const [apply = [], create = []] = commandsIn(preparation);
  expect(await start(apply).ended).toBe(0);
  const { said, ended } = start([...create, '--json']);
  expect(await ended).toBe(0);
  key = JSON.parse(said.out).key;
});

it('has a program that runs', async () => {
  const plain = program.replace(/^import .*$/gm, '').replace('https://roster.example.com', whole.base);
  const { code } = transformSync(`(async () => {${plain}})()`, { loader: 'ts', target: 'es2022' });
  process.env.ROSTER_API_KEY = key;
  await new Function('Roster', `return ${code}`)(client.Roster);
  delete process.env.ROSTER_API_KEY;
  const ada = await until(() => exported('ada', 'custom_events'));
  expect(ada).toMatchObject({ custom_events: [{ name: 'signed_up', count: 1 }] });
});

describe('the export', () => {
  const people = hostedPeople(120).map((person, n) => ({ ...person, custom_attributes: { n } }));
  const service = createHostedService(people, 'hosted-key');
  const source = usePeer((request, response) => service.answer(request, response));

  /** A block of the page, in a folder that has the examples. */
  const paste = (block: string) => {
    const text = block
      .replace('https://rest.hosted.example', source.url)
      .replace('<key of the hosted service>', 'hosted-key')
      .replace('<id of the segment>', 'segment-1');
    return promisify(execFile)('bash', ['-ec', text], { cwd: inFolder() });
  };
  beforeAll(() => symlinkSync(join(__dirname, '../../../examples'), inFolder('examples')));

  it('by ids goes in steps of 50, and again after a limit and a fault', async () => {
    const ids = [...people.flatMap((person) => Object(person).external_id ?? []), 'unknown'];
    writeFileSync(inFolder('ids.txt'), ids.map((id) => `${id}\n`).join(''));
    const { stderr } = await paste(byIds);
    expect(stderr).toContain(`${ids.length} ids exported, 1 of them unknown there.`);
    const lines = readFileSync(inFolder('people.ndjson'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(ids.length - 1);
    expect(service.asked).toHaveLength(Math.ceil(ids.length / 50) + 2);
  });

  it('of a segment waits for its file, and all of it comes in', async () => {
    await paste(bySegment);
    const { stderr } = await paste(groups);
    const nameless = people.filter((person) => !namesIn(person).some(Boolean)).length;
    expect(nameless).toBeGreaterThan(0);
    expect(stderr).toContain(`${120 - nameless} people have their subscription groups`);
    expect(stderr).toContain(`${nameless} have no external id, email or phone`);
    const [words = []] = peopleImports();
    const file = inFolder('people.ndjson');
    const args = words.map((word) => word.replace('people.ndjson', file));
    const { said, ended } = start([...args, '--wait', '--json']);
    expect(await ended).toBe(0);
    expect(JSON.parse(said.out)).toMatchObject({ rows: 120, entries: { refused: 0, ignored: 0 } });
    expect(await exported('hosted-2', 'custom_attributes')).toMatchObject({ custom_attributes: { n: 2 } });
    const [news, texts] = [
      { id: 'there-news', state: 'subscribed' },
      { id: 'there-texts', state: 'unsubscribed' },
    ];
    expect(await groupsBy({ external_ids: ['hosted-2'] })).toMatchObject([news, texts]);
    expect(await groupsBy({ email_address: 'hosted-1@example.com' })).toMatchObject([news]);
    expect(await groupsBy({ phone: '+12025550003' })).toMatchObject([texts]);
  });
});

it('has the history of the event stream, each event once', async () => {
  const samples = join(__dirname, '../../../packages/cli/src/history/samples');
  for (const words of commandsIn(stream)) {
    const args = words.map((word) =>
      word === 'currents' ? samples : word.replace('events.ndjson', inFolder('events.ndjson')),
    );
    const { ended } = start(words[0] === 'import' ? [...args, '--wait'] : args);
    expect(await ended).toBe(0);
  }
  const asked = { external_ids: ['stream-ada'], fields_to_export: ['external_id', 'total_revenue'] };
  const { users } = await roster().users.export.ids(asked as client.Body<'users.export.ids'>);
  expect(users[0]).toMatchObject({ external_id: 'stream-ada', total_revenue: 9.98 });
});

it('has imports that work in their order', async () => {
  const file = inFolder('people.ndjson');
  const imports = peopleImports();
  expect(imports).toHaveLength(2);
  for (const [number, words] of imports.entries()) {
    const user = { external_id: 'bob', custom_attributes: { moved: number }, random_bucket: 5 };
    writeFileSync(file, `${JSON.stringify(user)}\n`);
    const args = words.map((word) => word.replace('people.ndjson', file));
    const { said, ended } = start([...args, '--restart', '--wait']);
    expect(await ended).toBe(0);
    expect(said.out).toContain('1 accepted, 0 refused');
    expect(await exported('bob', 'custom_attributes')).toMatchObject({
      custom_attributes: { moved: number },
    });
  }
});

const post = async (url: string, body: object): Promise<number> =>
  (await request(url).post('').auth('hosted', { type: 'bearer' }).send(body)).status;

/** The time and the request of an example. */
const isExample = /^ *\d{4}-\S+Z, request \S+$/;

const trimmed = (text: string): string[] =>
  text.split('\n').flatMap((line) => (isExample.test(line) ? 'example' : line.trim() || []));

const counted = (line: string): string => line.replace(/\d+/g, 'n');

it('has a comparison, and a report of this form', async () => {
  const [words = []] = commandsIn(session);
  const args = words.map((word) => word.replace('https://rest.hosted.example', hosted.url));
  const { said, ended } = start([...args, '--port', '0']);
  const [, url] = await until(() => /(http:\S+) goes on/.exec(said.err));
  expect(await post(`${url}/users/track`, { attributes: [{ external_id: 'moved', plan: 'team' }] })).toBe(
    201,
  );
  await until(() => exported('moved', 'custom_attributes'));
  const asked = { external_ids: ['moved'], fields_to_export: ['external_id', 'created_at'] };
  expect(await post(`${url}/users/export/ids`, asked)).toBe(201);
  process.emit('SIGINT');
  expect(await ended).toBe(0);
  expect(trimmed(said.out)).toEqual([
    'users.track: 1 compared, 1 with the same answer',
    'users.export.ids: 1 compared, 0 with the same answer',
    '1 x users[].apps (missing)',
    'example',
  ]);
  const shown = session.slice(session.indexOf('users.track:'));
  expect(trimmed(shown).map(counted)).toEqual(trimmed(said.out).map(counted));
});

it.each(
  [...page.matchAll(/`roster ([a-z ]+?)((?: --[^`]+)?)`/g)].map(([, names = '', options = '']) => [
    names,
    options,
  ]),
)('roster %s is a command with these options:%s', async (names, options) => {
  const { said, ended } = start([...(names ?? '').split(' '), '--help']);
  expect(await ended).toBe(0);
  expect(said.out).toContain(`Usage: roster ${names}`);
  for (const option of options?.match(/--[a-z-]+/g) ?? []) expect(said.out).toContain(option);
});
