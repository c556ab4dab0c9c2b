/** Every piece of code of the pages and of the OpenAPI document that calls the client, by the client's types as they are packed. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '@roster/contract';
import { useFolder } from '@roster/testkit';

const run = promisify(execFile);
const root = join(__dirname, '../../..');
const inFolder = useFolder();

const known = 'declare const process: { env: Record<string, string | undefined> };';
const imports = /^import [^;]*;$/gm;

const blocksIn = async (page: string): Promise<string[]> => {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/^ *```(?:ts|js|mjs)\n(.*?)^ *```$/gms)].map(([, code = '']) => code);
};

/** The first example of the client's page says how `roster` is made, for all others. */
const ofClientPage = async (): Promise<string[]> => {
  const [first = '', ...others] = await blocksIn('packages/client/README.md');
  const all = [...new Set([first, ...others].flatMap((code) => code.match(imports) ?? []))].join('\n');
  const making = first.replace(imports, '');
  return others.map(
    (code) => `${all}\n${making}\nexport const example = async () => {${code.replace(imports, '')}};`,
  );
};

/** Those of other pages are whole programs. */
const ofOtherPages = async (): Promise<string[]> => {
  const within = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name));
  const folders = ['.', 'docs', 'examples', ...['packages', 'services'].flatMap(within)];
  const pages = folders.flatMap(within).filter((path) => path.endsWith('.md'));
  const others = pages.filter((page) => page !== 'packages/client/README.md');
  const blocks = (await Promise.all(others.map(blocksIn))).flat();
  return blocks.filter((code) => code.includes('@roster/client'));
};

interface Described {
  'x-codeSamples': { source: string }[];
}

const ofDocument = async (): Promise<string[]> => {
  const { paths } = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  const described = Object.values<Record<string, Described>>(paths).flatMap((path) => Object.values(path));
  return described.flatMap((operation) => operation['x-codeSamples'].map(({ source }) => source));
};

/** What the compiler says of these modules; nothing when they are right. */
const complaintsAbout = async (modules: readonly string[]): Promise<string> => {
  const files = modules.map((_, place) => `sample-${place}.mts`);
  for (const [place, code] of modules.entries())
    await writeFile(inFolder(`sample-${place}.mts`), `${code}\n${known}\nexport {};\n`);
  const compilerOptions = {
    ...{ noEmit: true, strict: true, target: 'es2022', module: 'nodenext', types: [] },
    paths: { '@roster/client': [join(__dirname, '../dist/index.d.ts')] },
  };
  await writeFile(inFolder('tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, '-p', inFolder('tsconfig.json')]).then(
    () => '',
    ({ stdout }) => stdout,
  );
};

it('compiles, and a wrong call beside it does not', async () => {
  const [page, pages, document] = [await ofClientPage(), await ofOtherPages(), await ofDocument()];
  expect(page.length).toBeGreaterThan(5);
  expect(pages.length).toBeGreaterThan(0);
  expect(document).toHaveLength(operations.length);
  const samples = [...page, ...pages, ...document];
  const wrong = (document[0] ?? '').replace('roster.users', 'roster.user');
  const complaints = (await complaintsAbout([...samples, wrong])).split('\n').filter(Boolean);
  expect(complaints).toEqual([
    expect.stringMatching(new RegExp(`sample-${samples.length}\\.mts.* Property 'user' does not exist`)),
  ]);
});
