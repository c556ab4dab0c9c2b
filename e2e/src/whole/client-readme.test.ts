/** The examples of the client's page, one after the other, against the services as they run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as client from '@roster/client';
import { transformSync } from 'esbuild';
import { useWorkspace } from '../shared.ts';

const page = readFileSync(join(__dirname, '../../../packages/client/README.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

const system = useWorkspace('client-readme');
let said: unknown[][];

beforeAll(() => {
  process.env.ROSTER_URL = system.base;
  process.env.ROSTER_API_KEY = system.key;
});
afterAll(() => {
  delete process.env.ROSTER_URL;
  delete process.env.ROSTER_API_KEY;
});
beforeEach(() => {
  said = [];
  jest.spyOn(console, 'log').mockImplementation((...words) => {
    said.push(words);
  });
});
afterEach(() => jest.restoreAllMocks());

/** Names of the client are there without an import: the first example has said how. */
const play = async (code: string): Promise<void> => {
  const plain = code.replace(/^import .*$/gm, '');
  const { code: script } = transformSync(`(async () => {${plain}})()`, { loader: 'ts', target: 'es2022' });
  const roster = new client.Roster({ url: system.base, key: system.key });
  const names = { ...client, roster };
  await new Function(...Object.keys(names), `return ${script}`)(...Object.values(names));
};

const seen: ((said: unknown[][]) => void)[] = [
  (all) => expect(all).toEqual([]),
  (all) => expect(all).toEqual([]),
  ([waited, report, fresh]) => {
    expect(waited).toEqual(['applied', [{ result: 'updated' }]]);
    expect(report).toMatchObject([{ state: 'applied' }]);
    expect(fresh).toEqual([expect.any(Boolean), expect.any(Number)]);
  },
  (all) =>
    expect(all).toEqual([
      [expect.any(String), 'subscription_group', 'subscribed'],
      [1, undefined],
    ]),
  ([refused, missing]) => {
    const errors = [expect.objectContaining({ code: 'TIME_INVALID' })];
    const remedy = 'Correct the entries named in `errors` and send them again.';
    expect(refused).toEqual(['NO_VALID_DATA', errors, remedy]);
    expect(missing).toEqual([true]);
  },
  (all) => expect(all).toEqual([['accepted']]),
  ([line]) =>
    expect(line).toEqual([
      expect.any(Number),
      expect.objectContaining({ 'roster.operation': 'users.track' }),
    ]),
  (all) => expect(all).toEqual([['the header webhook-id is missing']]),
];

it('has as many examples as are looked at here', () => expect(examples).toHaveLength(seen.length));

it.each(examples.map((code, place) => [place + 1, code] as const))('example %i', async (number, code) => {
  await play(code);
  seen[number - 1]?.(said);
});
