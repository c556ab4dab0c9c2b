/** Throws the data of a stack away. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workingIn } from '../servers/folder-error.ts';
import { stopLeftover } from '../servers/pid-file.ts';
import { endLeftovers, openHome, runningIn } from './home.ts';

/** A folder that a stack has made, and not, by a slip of ROSTER_HOME, a whole disk. */
const isHome = (dir: string): boolean =>
  ['data', 'logs', 'pids'].every((name) => existsSync(join(dir, name)));

const remove = async (dir: string): Promise<boolean> => {
  if (!existsSync(dir)) return false;
  if (!isHome(dir)) throw new Error(`${dir} is not the folder of a stack: nothing was removed.`);
  const pid = runningIn(dir);
  if (pid) throw new Error(`The stack in ${dir} is running (process ${pid}). Stop it first.`);
  const home = openHome(dir);
  await endLeftovers(home);
  await stopLeftover(join(home.dataDir('redis'), 'redis.pid.json'));
  await stopLeftover(join(home.dataDir('mongo'), 'mongod.pid.json'));
  rmSync(dir, { recursive: true, force: true });
  return true;
};

/** False when there was nothing; throws while the stack runs. */
export const removeStack = (dir: string): Promise<boolean> =>
  workingIn({ variable: 'ROSTER_HOME', dir }, () => remove(dir));
