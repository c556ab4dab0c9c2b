/** The generated pages on disk. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pages } from './pages.ts';

export async function writePages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of pages()) await writeFile(resolve(folder, name), text);
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
  return drift;
}
