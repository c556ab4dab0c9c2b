import { existsSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Linux shares processors between sessions before it looks at priorities, and each service of the local stack has a session. */
const ownGroup = '/proc/self/autogroup';

const again = { most: 5, afterMs: 250 };

/** Of all users but root Linux takes one change in a tenth of a second, and several services start at once. */
const takeLess = (group: string, priority: number, tries = 1): void => {
  try {
    if (existsSync(group)) writeFileSync(group, String(priority));
  } catch {
    if (tries < again.most) setTimeout(takeLess, again.afterMs * tries, group, priority, tries + 1).unref();
  }
};

/**
 * For a process with whose work no caller waits: while processors are short, those come first whose callers wait. Where a sandbox refuses
 * it, the process has its usual share.
 */
export const giveWay = (
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
  group = ownGroup,
): void => {
  try {
    setPriority(priority);
  } catch {}
  takeLess(group, priority);
};
