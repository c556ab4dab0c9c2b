// Whether what was made is older than what it is made of.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

const timeOf = (path) => statSync(path).mtimeMs;

const newestIn = (folder) => {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true }).filter((name) => /\.m?js$/.test(name));
  return Math.max(0, ...files.map((name) => timeOf(join(folder, name))));
};

/** Paths from the root: `made` and `files` are files, and of `folders` what can be run counts. */
export const isStale = ({ made, files, folders }) => {
  const paths = made.map((path) => join(root, path));
  if (!paths.every(existsSync)) return true;
  const oldest = Math.min(...paths.map(timeOf));
  const sources = files.map((path) => timeOf(join(root, path)));
  return Math.max(...sources, ...folders.map((path) => newestIn(join(root, path)))) > oldest;
};
