/** Python unpacks zip files: it is needed to fetch them anyway, or is on every Linux that has no unzip. */
import { mustRun, onPath } from './command.ts';

export const unzip = async (file: string, dir: string): Promise<void> => {
  const python = onPath('python3', 'python');
  if (!python) throw new Error('there is no python3 to unpack it with');
  await mustRun(python, ['-m', 'zipfile', '-e', file, dir], { timeoutMs: 120_000 });
};
