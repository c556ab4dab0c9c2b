// The npm packages that an image holds: those inside the bundles, and those that serve files beside themselves.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';

/** Left out of the bundles (docs/adr/0019-bundles.md), and bullmq, which the board looks for and calls optional. */
const beside = ['@bull-board/api', '@bull-board/express', 'bullmq', 'swagger-ui-dist'];

const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** Where node finds a package, from a folder upwards. */
const found = (name, from) => {
  for (let at = from; ; at = at.replace(/\/?[^/]*$/, '')) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(root, folder, 'package.json'))) return folder;
    if (at === '') return undefined;
  }
};

/** The folders of these packages and of all that they depend on. */
const closure = (names, from = '', seen = new Set()) => {
  for (const name of names) {
    const folder = found(name, from);
    if (folder === undefined)
      throw new Error(`${name}, which ${from || 'the image'} needs, is not installed`);
    if (seen.has(folder)) continue;
    seen.add(folder);
    closure(Object.keys(manifestOf(folder).dependencies ?? {}), folder, seen);
  }
  return seen;
};

const described = (folder) => {
  const { name, version, license } = manifestOf(folder);
  return { folder, name, version, license };
};

/** Folders below the root of the checkout: those to copy, and those that are inside the bundles. */
export const contents = () => ({
  copied: [...closure(beside)].sort().map(described),
  bundled: JSON.parse(readFileSync(join(root, 'bundle/packages.json'), 'utf8')).map(described),
});

/** The texts of the licence of a package. */
export const licenceTexts = ({ folder }) =>
  readdirSync(join(root, folder))
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
