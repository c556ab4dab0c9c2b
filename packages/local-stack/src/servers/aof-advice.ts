/** Redis advises a tool for a damaged append-only file. It is the server itself under another name, so it is always there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Of Redis 7 and later, and of those before. */
const files = ['appendonlydir/appendonly.aof.manifest', 'appendonly.aof'];

/** What to type, when the log of a Redis that did not start names the tool. */
export const aofAdvice = (log: string, dir: string, program: string): string => {
  const tool = /(redis|valkey)-check-aof/.exec(log)?.[0];
  const file = files.map((name) => join(dir, name)).find(existsSync);
  if (!tool || !file) return '';
  const binary = existsSync(`${program}.bin`) ? `${program}.bin` : program;
  const link = join(dir, tool);
  return `
The append-only file of Redis is damaged. Keep a copy of ${dir}. Then these cut the file off at the first damaged byte, and accepted requests that come after it are lost:

  ln -sf '${binary}' '${link}'
  LD_LIBRARY_PATH='${join(dirname(program), 'lib')}' '${link}' --fix '${file}'

Type y when it asks, and start again.`;
};
