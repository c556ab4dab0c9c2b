/** The examples of the client's page: their code, and what each of them says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

const page = readFileSync(join(__dirname, '../../../packages/client/README.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

const imports = /^import .*$/gm;

/**
 * A module whose `play` runs all examples, one after the other, and tells what each of them said. `roster` is known in all of them:
 * the first one has said how it is made. Not every runtime has a `process`.
 */
export const exampleModule = (format: 'esm' | 'cjs' = 'esm'): string => {
  const bodies = examples.map((code) => `async (console) => {${code.replace(imports, '')}},`);
  const text = `${examples.flatMap((code) => code.match(imports) ?? []).join('\n')}
    export const play = async ({ url, key }) => {
      const process = { env: { ROSTER_URL: url, ROSTER_API_KEY: key } };
      const roster = new Roster({ url, key });
      const all = [];
      for (const example of [${bodies.join('\n')}]) {
        const said = [];
        await example({ log: (...words) => said.push(words) });
        all.push(said);
      }
      return JSON.parse(JSON.stringify(all));
    };`;
  return transformSync(text, { loader: 'ts', target: 'es2022', format }).code;
};

const errors = [expect.objectContaining({ code: 'TIME_INVALID' })];
const remedy = 'Send `attributes`, `events` or `purchases`, and correct the entries named in `errors`.';

/** What a line of the page says, as JSON has it. */
export const saidByExamples = [
  [],
  [],
  [],
  [
    ['applied', [{ result: 'updated' }]],
    [expect.objectContaining({ state: 'applied' })],
    [expect.any(Boolean), expect.any(Number)],
  ],
  [
    [expect.any(String), 'subscription_group', 'subscribed'],
    [1, null],
  ],
  [
    [
      expect.stringMatching(
        /^roster: requests\.read, attempt 1 failed: 404 REQUEST_NOT_FOUND .*; the call fails$/,
      ),
    ],
  ],
  [['NO_VALID_DATA', errors, remedy], [true]],
  [['accepted']],
  // A line for each attempt.
  expect.arrayContaining([
    [expect.any(Number), expect.objectContaining({ 'roster.operation': 'users.track' })],
  ]),
  [['the header webhook-id is missing']],
  [[7]],
];
