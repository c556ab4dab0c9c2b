/**
 * Writes the generated pages of docs/, or with `--check` tells whether they are as they should be.
 *
 *     node packages/openapi/dist/generate.js [--check] [folder]
 */
import { findDrift, writePages } from './write-pages.ts';

const args = process.argv.slice(2);
const folder = args.find((arg) => !arg.startsWith('--')) ?? 'docs';

if (args.includes('--check')) {
  const drift = await findDrift(folder);
  for (const sentence of drift) console.error(sentence);
  process.exitCode = drift.length > 0 ? 1 : 0;
} else {
  await writePages(folder);
}
