/** The user of a server that refuses to run as root, and the way to its folder. */
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { User } from '@roster/local-stack';

const sticky = 0o1000;
const othersPass = 0o001;

/** Nothing where we are not root: then the server runs as we do. */
export const otherUser = (...names: readonly string[]): User | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = names.flatMap((name) => users.find(([found]) => found === name) ?? []);
  if (!uid || !gid)
    throw new Error(`the server does not run as root, and there is no user ${names.join(' or ')}`);
  return { uid: Number(uid), gid: Number(gid) };
};

const foldersAbove = (folder: string): string[] => {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
};

/**
 * Lets others pass through the folders between the one for everybody's temporary files and this one, as those of a run are private.
 * They still see nothing there. No other folder is opened.
 */
export const openWay = (folder: string): void => {
  const above = foldersAbove(folder);
  const temporary = above.findIndex((one) => statSync(one).mode & sticky);
  for (const one of above.slice(0, Math.max(temporary, 0)))
    chmodSync(one, (statSync(one).mode & 0o777) | othersPass);
};
