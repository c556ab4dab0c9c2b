/** The page about moving to Roster: its commands and its program word by word, with a service that stands for the hosted one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as client from '@roster/client';
import { until, useFolder, usePeer } from '@roster/testkit';
import { transformSync } from 'esbuild';
import { startRoster } from '../run-roster.ts';
import { useWhole } from '../shared.ts';

const page = readFileSync(join(__dirname, '../../../docs/migrate.md'), 'utf8');
const blocks = [...page.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(([, kind, text = '']) => ({
  kind,
  text,
}));
const [program = '', ...programs] = blocks.filter(({ kind }) => kind === 'ts').map(({ text }) => text);
const [preparation = '', session = '', ...others] = blocks
  .filter(({ kind }) => kind === 'sh')
  .map(({ text }) => text);

const whole = useWhole();
const inFolder = useFolder();
let key = '';

/** The second one has a member that Roster does not know. */
const answers: { [path: string]: object } = {
  '/users/track': { message: 'success', attributes_processed: 1 },
  '/users/export/ids': {
    message: 'success',
    users: [{ external_id: 'moved', apps: [], created_at: 'then' }],
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

const roster = () => new client.Roster({ url: whole.base, key });

const exported = async (id: string, field: 'custom_attributes' | 'custom_events') => {
  const asked = { external_ids: [id], fields_to_export: ['external_id', field] };
  const { users } = await roster().users.export.ids(asked as client.Body<'users.export.ids'>);
  return users[0];
};

it('has no block that is not tried here', () => expect([programs, others]).toEqual([[], []]));

it('makes a workspace and a key', async () => {
  const [, text = '', name = ''] = /^echo '(.*)' > (\S+)$/m.exec(preparation) ?? [];
  writeFileSync(inFolder(name), `${text}\n`);
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

it('has imports that work in their order', async () => {
  const file = inFolder('people.ndjson');
  const imports = commandsIn(page).filter(([name]) => name === 'import');
  expect(imports).toHaveLength(2);
  for (const [number, words] of imports.entries()) {
    const user = { external_id: 'bob', custom_attributes: { moved: number }, random_bucket: 5 };
    writeFileSync(file, `${JSON.stringify(user)}\n`);
    const { said, ended } = start([...words.map((word) => word.replace('people.ndjson', file)), '--wait']);
    expect(await ended).toBe(0);
    expect(said.out).toContain('1 accepted, 0 refused');
    expect(await exported('bob', 'custom_attributes')).toMatchObject({
      custom_attributes: { moved: number },
    });
  }
});

const post = (url: string, body: object): Promise<number> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer hosted', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(({ status }) => status);

const trimmed = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);

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
  ]);
  const shown = session.slice(session.indexOf('users.track:'));
  expect(trimmed(shown.replace(/\d+/g, 'n'))).toEqual(trimmed(said.out.replace(/\d+/g, 'n')));
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
