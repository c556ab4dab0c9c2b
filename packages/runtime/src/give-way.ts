import { existsSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const priority = constants.priority.PRIORITY_BELOW_NORMAL;
/** Linux shares processors between sessions before it looks at priorities, and each service of the local stack has a session. */
const ownGroup = '/proc/self/autogroup';

/** For a process with whose work no caller waits: while processors are short, those come first whose callers wait. */
export const giveWay = (): void => {
  setPriority(priority);
  if (existsSync(ownGroup)) writeFileSync(ownGroup, String(priority));
};
