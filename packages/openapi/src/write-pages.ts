/** The generated pages on disk. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withEndpointTable } from './endpoint-table.ts';
import { pages } from './pages.ts';

/** Beside the folder of the pages, where there is one. */
const readReadme = async (folder: string): Promise<{ path: string; text: string }> => {
  const path = resolve(folder, '../README.md');
  return { path, text: await readFile(path, 'utf8').catch(() => '') };
};

export async function writePages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of pages()) await writeFile(resolve(folder, name), text);
  const readme = await readReadme(folder);
  const wanted = withEndpointTable(readme.text);
  if (wanted !== readme.text) await writeFile(readme.path, wanted);
}

/** One sentence for each page that is not as it should be. */
export async function findDrift(folder: string): Promise<string[]> {
  const drift: string[] = [];
  for (const [name, text] of pages()) {
    const found = await readFile(resolve(folder, name), 'utf8').catch(() => undefined);
    if (found === text) continue;
    drift.push(
      `docs/${name} ${found === undefined ? 'is missing' : 'is not up to date'}: run \`npm run docs\``,
    );
  }
  const readme = await readReadme(folder);
  if (withEndpointTable(readme.text) !== readme.text)
    drift.push('The endpoints in README.md are not up to date: run `npm run docs`');
  return drift;
}
