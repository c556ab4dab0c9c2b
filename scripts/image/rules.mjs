// What may be in the root file system of an image.
import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const mostBytes = 250_000_000;

/** Programs that build, install or open a shell, and packages that build. */
const tools =
  /^(npm|npx|yarn|corepack|pnpm|apt|apt-get|dpkg|sh|bash|dash|busybox|perl|python[\d.]*|gcc|cc|g\+\+|make|ld|as|git|curl|wget)$/;
const buildPackages = /node_modules\/(typescript|esbuild|turbo|node-gyp|@swc|@biomejs|@typescript)$/;

const setsId = 0o6000;
const writableByOthers = 0o022;

/** Every file and folder, with what the file system says of it. */
const walk = (folder) =>
  readdirSync(folder, { recursive: true }).map((path) => ({ path, stat: lstatSync(join(folder, path)) }));

const isTool = ({ path, stat }) =>
  buildPackages.test(path) ||
  (tools.test(basename(path)) && !stat.isDirectory() && (stat.mode & 0o111) !== 0);

const problemOf = ({ path, stat }) => {
  if (isTool({ path, stat })) return `${path} is a tool`;
  if (stat.isSymbolicLink()) return undefined;
  if (stat.uid !== 0 || stat.gid !== 0) return `${path} does not belong to root`;
  if ((stat.mode & setsId) !== 0) return `${path} changes the user of who runs it`;
  if ((stat.mode & writableByOthers) !== 0 && path !== 'tmp') return `${path} can be written by others`;
  return undefined;
};

export const judgeRoot = (folder, most = mostBytes) => {
  const all = walk(folder);
  const bytes = all.reduce((sum, { stat }) => sum + (stat.isFile() ? stat.size : 0), 0);
  const problems = all.map(problemOf).filter((problem) => problem !== undefined);
  if (bytes > most) problems.push(`${Math.ceil(bytes / 1e6)} MB unpacked, more than ${most / 1e6} MB`);
  return { bytes, files: all.length, problems };
};
