// Files that are, or may be, in the repository.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

/** Under `paths`, or all of them. */
export const filesIn = (paths = []) => {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
};
