// Expensive requests that were found before: each is a file, and each later version is tried with them.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Genome } from './genome.ts';
import { roads, seedsOfRoad } from './roads.ts';

const folder = fileURLToPath(new URL('../../src/costly/found/', import.meta.url));

export interface Found extends Genome {
  /** The number of the weakness that it shows where there are no bounds. */
  weakness: number;
  /** Left out of a short trial: it takes long. */
  isLong?: boolean;
}

/** On a road of messaging: the title of the seed that it comes from, whose parts are others. */
type Kept = Found | (Omit<Found, 'operation'> & { from: string });

const whole = (kept: Kept): Found => {
  if ('operation' in kept) return kept;
  const { from, ...found } = kept;
  const seed = roads.flatMap(seedsOfRoad).find(({ road, title }) => road === found.road && title === from);
  if (!seed) throw new Error(`the road ${found.road} has no seed "${from}"`);
  return { ...seed, ...found };
};

export const foundBefore = (): Found[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => whole(JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) as Kept));
