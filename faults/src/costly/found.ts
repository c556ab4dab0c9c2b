// Expensive requests that were found before: each is a file, and each later version is tried with them.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Genome } from './genome.ts';

const folder = fileURLToPath(new URL('../../src/costly/found/', import.meta.url));

export interface Found extends Genome {
  /** The number of the weakness that it shows where there are no bounds. */
  weakness: number;
  /** Left out of a short trial: it takes long. */
  isLong?: boolean;
}

export const foundBefore = (): Found[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) as Found);
