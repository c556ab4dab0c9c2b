/** The page about moving to Roster: its commands and its program, word by word, with a service that stands for the hosted one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@roster/cli';
import * as client from '@roster/client';
import { transformSync } from 'esbuild';
import { type System, startSystem } from '../system.ts';

jest.setTimeout(60_000);

const page = readFileSync(join(__dirname, '../../../docs/migrate.md'), 'utf8');
const blocks = [...page.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(([, kind, text = '']) => ({
  kind,
  text,
}));
const blocksOf = (wanted: string): string[] =>
  blocks.filter(({ kind }) => kind === wanted).map(({ text }) => text);
const programs = blocksOf('ts');
const [preparation = '', session = '', ...others] = blocksOf('');

let system: System;
let hosted: Server;

beforeAll(async () => {
  system = await startSystem({ identity: {} });
  hosted = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answers[request.url ?? '']));
    });
  });
  await new Promise<void>((resolve) => hosted.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  hosted?.close();
  await system?.stop();
});

/** The second one has a member that Roster does not know. */
const answers: { [path: string]: object } = {
  '/users/track': { message: 'success', attributes_processed: 1 },
  '/users/export/ids': {
    message: 'success',
    users: [{ external_id: 'moved', apps: [], created_at: 'then' }],
  },
};

const said = () => {
  const texts = { out: '', err: '' };
  const io = {
    out(text: string) {
      texts.out += text;
    },
    err(text: string) {
      texts.err += text;
    },
    env: { ROSTER_URL: system.base, ROSTER_API_KEY: system.key },
    readText: (path: string) => readFileSync(path, 'utf8'),
    now: () => new Date(),
  };
  return { texts, io };
};

it('has no block that is not tried here', () => expect([programs.length, others]).toEqual([1, []]));

it('has a program that runs', async () => {
  const [program = ''] = programs;
  const plain = program.replace(/^import .*$/gm, '').replace('https://roster.example.com', system.base);
  const { code } = transformSync(`(async () => {${plain}})()`, { loader: 'ts', target: 'es2022' });
  process.env.ROSTER_API_KEY = system.key;
  await new Function('Roster', `return ${code}`)(client.Roster);
  delete process.env.ROSTER_API_KEY;
  await system.track({ attributes: [{ external_id: 'ada', seen: true }] });
  expect(await system.exported('ada', ['custom_events'])).toMatchObject({
    custom_events: [{ name: 'signed_up', count: 1 }],
  });
});

const lineOf = (start: RegExp): string =>
  session
    .split('\n')
    .map((line) => line.trim())
    .find((line) => start.test(line)) ?? '';

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const post = (url: string, path: string, body: object): Promise<number> =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer hosted', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(({ status }) => status);

it('has a comparison that runs as it stands there, and a report of this form', async () => {
  const { port } = hosted.address() as AddressInfo;
  const [, , , , ...words] = lineOf(/^npm run roster -- compare/).split(' ');
  const args = words.map((word) => word.replace('https://rest.hosted.example', `http://127.0.0.1:${port}`));
  expect(lineOf(/^export/)).toContain('ROSTER_URL=http');
  const { texts, io } = said();
  const ended = runCommand([...args, '--port', '0'], io);
  while (!texts.err.includes('goes on to')) await new Promise((resolve) => setTimeout(resolve, 10));
  const [, url = ''] = /(http:\S+) goes on/.exec(texts.err) ?? [];
  await post(url, '/users/track', { attributes: [{ external_id: 'moved', plan: 'team' }] });
  await system.track({ attributes: [{ external_id: 'another' }] });
  await post(url, '/users/export/ids', {
    external_ids: ['moved'],
    fields_to_export: ['external_id', 'created_at'],
  });
  process.emit('SIGINT');
  expect(await ended).toBe(0);
  expect(texts.out.split('\n')).toEqual([
    'users.track: 1 compared, 1 with the same answer',
    'users.export.ids: 1 compared, 0 with the same answer',
    '  1 x users[].apps (missing)',
    '',
  ]);
  const shown = session.slice(session.indexOf('users.track:')).replace(/\d+/g, 'n');
  expect(linesOf(shown)).toEqual(linesOf(texts.out.replace(/\d+/g, 'n')));
});

/** `npm run roster -- workspace apply shop.yaml`, in a block or a sentence. */
const commands = [
  ...preparation.matchAll(/^npm run roster -- (.+)$/gm),
  ...page.matchAll(/`(?:npm run roster -- |roster )([^`]+)`/g),
].map(([, words = '']) => words);

it('has imports that work in their order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-migrate-'));
  const file = join(folder, 'people.ndjson');
  const imports = commands.filter((words) => words.startsWith('import '));
  expect(imports).toHaveLength(2);
  for (const [number, words] of imports.entries()) {
    const user = { external_id: 'bob', custom_attributes: { moved: number }, random_bucket: 5 };
    writeFileSync(file, `${JSON.stringify(user)}\n`);
    const { texts, io } = said();
    expect(await runCommand([...words.replace('people.ndjson', file).split(' '), '--wait'], io)).toBe(0);
    expect(texts.out).toContain('1 accepted, 0 refused');
    expect(await system.exported('bob', ['custom_attributes'])).toEqual({
      custom_attributes: { moved: number },
    });
  }
  rmSync(folder, { recursive: true });
});

it.each(commands)('%s is a command with these options', async (command) => {
  const words = command.split(' ');
  const names = /^(?:[a-z]+ ?)+(?=$| --| \w+\.)/.exec(command)?.[0].trim().split(' ') ?? [];
  const { texts, io } = said();
  expect(await runCommand([...names, '--help'], io)).toBe(0);
  expect(texts.out).toContain(`Usage: roster ${names.join(' ')} [options]`);
  for (const option of words.filter((word) => word.startsWith('--'))) expect(texts.out).toContain(option);
});
