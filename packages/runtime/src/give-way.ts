import { existsSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

interface Giving {
  /** Another process, which leads a session of its own; this one unless told. */
  pid?: number;
  priority?: number;
  /** Linux shares processors between sessions before it looks at priorities. */
  group?: string;
}

const again = { most: 5, afterMs: 250 };

/** Of all users but root Linux takes one change in a tenth of a second, and several processes start at once. */
const takeLess = (group: string, priority: number, tries = 1): void => {
  try {
    if (existsSync(group)) writeFileSync(group, String(priority));
  } catch {
    // Refused for good, the process has its usual share.
    if (tries < again.most) setTimeout(takeLess, again.afterMs * tries, group, priority, tries + 1).unref();
  }
};

/**
 * For a process with whose work nobody waits: while processors are short, the others come first. It is that of the main thread and of the
 * threads that it starts from now on.
 */
export const giveWay = ({
  pid,
  priority = constants.priority.PRIORITY_BELOW_NORMAL,
  group = `/proc/${pid ?? 'self'}/autogroup`,
}: Giving = {}): void => {
  try {
    setPriority(pid ?? 0, priority);
  } catch {
    // A sandbox refuses it, or the process is gone: it has its usual share.
  }
  takeLess(group, priority);
};
