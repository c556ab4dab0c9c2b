/** The generated pages, and how they are kept on disk. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { operations } from '@roster/contract';
import { withEndpointTable } from './endpoint-table.ts';
import { errorsPage } from './errors-page.ts';
import { openapi } from './openapi.ts';
import { referencePage } from './reference.ts';

/** By the name of their file in docs/. */
export function pages(): ReadonlyMap<string, string> {
  const document = openapi(operations);
  return new Map([
    ['openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['api.md', referencePage(document, operations)],
    ['errors.md', errorsPage(operations)],
  ]);
}

/** The files that are not as they should be: pages, and the README beside their folder, where there is one. */
async function staleIn(folder: string) {
  // A file that is not there is stale.
  const read = (name: string) => readFile(resolve(folder, name), 'utf8').catch(() => undefined);
  const readme = await read('../README.md');
  const wanted = new Map(pages());
  if (readme !== undefined) wanted.set('../README.md', withEndpointTable(readme));
  const files = [...wanted].map(async ([name, text]) => ({ name, text, found: await read(name) }));
  return (await Promise.all(files)).filter(({ text, found }) => found !== text);
}

export async function writePages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of await staleIn(folder)) await writeFile(resolve(folder, name), text);
}

/** One sentence for each page that is not as it should be. */
export async function findDrift(folder: string): Promise<string[]> {
  return (await staleIn(folder)).map(({ name, found }) =>
    name === '../README.md'
      ? 'The endpoints in README.md are not up to date: run `npm run docs`'
      : `docs/${name} ${found === undefined ? 'is missing' : 'is not up to date'}: run \`npm run docs\``,
  );
}
