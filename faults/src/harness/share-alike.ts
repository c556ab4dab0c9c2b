// Services with whose work no caller waits take less of a busy machine than others. A trial that measures them is not about that.
import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const groupOf = (pid: number | 'self'): string => `/proc/${pid}/autogroup`;

/** The process gets the share that this one has; false where the system refuses that. */
export const shareAlike = (pid: number): boolean => {
  try {
    setPriority(pid, getPriority());
    const [, nice = '0'] = /nice (-?\d+)/.exec(readFileSync(groupOf('self'), 'utf8')) ?? [];
    writeFileSync(groupOf(pid), nice);
    return true;
  } catch {
    return false;
  }
};
