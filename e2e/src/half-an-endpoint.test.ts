/** An endpoint can't be half added: in a copy of the sources, the compiler refuses each step that was forgotten. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

jest.setTimeout(120_000);

const root = join(__dirname, '../..');
let copy: string;

const isSource = (path: string): boolean =>
  !['dist', 'bundle', 'node_modules'].includes(basename(path)) && !path.endsWith('.test.ts');

const textOf = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'roster-half-'));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const name of ['packages', 'services', 'e2e', 'package.json', 'tsconfig.base.json'])
    await cp(join(root, name), join(copy, name), { recursive: true, filter: isSource });
});
afterAll(() => rm(copy, { recursive: true, force: true }));

const table = 'packages/contract/src/operations/index.ts';
const row = 'packages/contract/src/operations/greet.ts';
const map = 'services/identity/src/operations.ts';
const played = 'e2e/src/whole/every-operation/effects.ts';

const people = "people: { lists: { external_ids: oneEach } }, notice: 'named'";

/** A row of the queue `identity`, with what a test gives it of its own. */
const rowWith = (more: string, request: string): string => `
  import { Type } from '@sinclair/typebox';
  import { operation } from '../operation.ts';
  import { oneEach } from '../people.ts';
  import { usersExternalIdsRemove as remove } from './identity/external-ids.ts';
  const { people: _people, notice: _notice, ...alike } = remove;
  export const known = oneEach;
  export const usersGreet = operation({
    ...alike, id: 'users.greet', path: '/users/greet', request: ${request}, ${more}
  });`;

const put = (path: string, text: string): Promise<void> => writeFile(join(copy, path), text);

/** The file with texts after others. */
const insert = async (path: string, ...texts: [after: string, more: string][]): Promise<void> => {
  let text = await textOf(path);
  for (const [after, more] of texts) {
    if (!text.includes(after)) throw new Error(`${path} does not hold ${after}`);
    text = text.replace(after, () => after + more);
  }
  await put(path, text);
};

interface Steps {
  row: string;
  request?: string;
  line?: string;
  effect?: string;
}

const add = async (steps: Steps): Promise<void> => {
  await put(row, rowWith(steps.row, steps.request ?? '{ body: Type.Object({}) }'));
  await insert(
    table,
    ["from '../operation.ts';", "\nimport { usersGreet } from './greet.ts';"],
    ['const table = [', '\n  usersGreet,'],
  );
  await insert(map, ['const lines: IdentityLines = {', steps.line ?? '']);
  await insert(played, ['[Id in Writing]: Effect<Id> } = {', steps.effect ?? '']);
};

/** Several threads would check much of the same, each for itself; and a compiler that ends in seconds need not clear its memory. */
const env = { ...process.env, GOGC: 'off' };

/** What the compiler says of these files and all that they import; nothing when it takes them. */
const compile = async (...files: string[]): Promise<string> => {
  const check = JSON.parse(await textOf('tsconfig.json'));
  await put('tsconfig.json', JSON.stringify({ ...check, include: [], files }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    const args = [tsc, '--singleThreaded', '-p', join(copy, 'tsconfig.json')];
    execFile(process.execPath, args, { cwd: copy, env }, (_error, stdout) => resolve(stdout));
  });
};

const line = "\n  'users.greet': { reads: { external_ids: notUsed }, result: removed },";
const effect = "\n  'users.greet': { outcome: {}, seen: shown(['ada', 'email']), is: [{}] },";

describe('the compiler refuses', () => {
  it('a row that does not say where its bodies name people', async () => {
    await add({ row: "notice: 'named'", line, effect });
    expect(await compile(row)).toMatch(/greet\.ts[\s\S]*'people'/);
  });

  it('a row of the queue identity that does not say whether it deletes them', async () => {
    await add({ row: 'people: { lists: { external_ids: oneEach } }', line, effect });
    expect(await compile(row)).toMatch(/greet\.ts[\s\S]*'notice'/);
  });

  it('a list whose outcome would not be shown', async () => {
    await add({ row: people.replace('external_ids', 'greetings'), line, effect });
    expect(await compile(row)).toMatch(/greet\.ts[\s\S]*greetings/);
  });

  it('people in the parameters of a request that can become a dead letter', async () => {
    await add({ row: people, request: '{ params: Type.Object({ id: Type.String() }) }', line, effect });
    expect(await compile(row)).toMatch(/greet\.ts.*'TObject<.*'never'/);
  });

  it('a row without a line in the map of its queue', async () => {
    await add({ row: people, effect });
    expect(await compile(map)).toMatch(/services\/identity\/src\/operations\.ts.*users\.greet/);
  });

  it('a line that does not read a list of its row', async () => {
    await add({ row: people, line: line.replace('external_ids: notUsed', ''), effect });
    expect(await compile(map)).toMatch(/services\/identity\/src\/operations\.ts.*'external_ids'/);
  });

  it('an operation whose example is not played in the tests of the whole', async () => {
    await add({ row: people, line });
    expect(await compile(played)).toMatch(/every-operation\/effects\.ts.*users\.greet/);
  });
});

it('takes an endpoint that is whole', async () => {
  await add({ row: people, line, effect });
  expect(await compile(map, played)).toBe('');
});
