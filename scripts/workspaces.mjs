// The packages of this repository and their package.json.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

const folders = [
  ...['packages', 'services'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  ),
  'bench',
  'e2e',
  'faults',
];

const read = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

export const rootPackage = read('.');

/** `{ folder, json }` of each. */
export const workspaces = folders
  .filter((folder) => existsSync(join(root, folder, 'package.json')))
  .map((folder) => ({ folder, json: read(folder) }));
