// A command line tool from PyPI, in an environment of its own outside the checkout, made once.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runQuiet } from './processes.mjs';

const { ROSTER_CACHE, XDG_CACHE_HOME } = process.env;
/** Outside the checkout: what is fetched once. */
export const cache = ROSTER_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'roster');

export const must = async (command, args) => {
  const { code, output } = await runQuiet(command, args).catch((error) => ({
    code: 1,
    output: String(error),
  }));
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}\n${output.trim()}`);
};

/** An environment can't be moved, so it is made in its place, and counts once its mark is there. */
const make = async (folder, packages) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await must('python3', ['-m', 'venv', folder]);
  await must(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  mkdirSync(join(folder, 'made.part'));
  renameSync(join(folder, 'made.part'), join(folder, 'made'));
};

/** The path of the tool; fails with a sentence that says what to install. */
export const pythonTool = async (tool, packages) => {
  const folder = join(cache, 'python', packages.join('_').replace(/[^A-Za-z0-9._-]+/g, '-'));
  if (!existsSync(join(folder, 'made'))) {
    console.log(`Fetching ${packages.join(', ')} from PyPI ...`);
    await make(folder, packages).catch((error) => {
      throw new Error(`${tool} needs python3 with venv and pip, and PyPI within reach: ${error.message}`);
    });
  }
  return join(folder, 'bin', tool);
};
