import { writeFileSync } from 'node:fs';
import { useFolder } from '@roster/testkit';
import { thatRuns } from './places.ts';

describe('a program that was found', () => {
  const inFolder = useFolder();

  const saying = (script: string): string => {
    writeFileSync(inFolder('program'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return inFolder('program');
  };

  it.each([
    ['Redis server v=6.2.14 sha=00000000:0 malloc=libc bits=64', '6.2.0'],
    ['Valkey server v=8.0.1 sha=0', '6.2.0'],
    ['db version v6.0.5', '6.0.0'],
    ['db version v10.0.0', '6.0.0'],
    ['postgres (PostgreSQL) 15.6 (Debian 15.6-0+deb12u1)', '13.0'],
    ['mariadbd  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64', '10.5'],
  ])('is used when it is new enough: %s', async (line, least) => {
    const program = saying(`echo "${line}"`);
    expect(await thatRuns(program, least)).toBe(program);
  });

  const lacking = 'libcurl.so.4: cannot open shared object file';

  it.each([
    ['too old', 'echo "Redis server v=6.0.16 sha=0"', '6.2.0', 'it is 6.0.16, older than 6.2.0'],
    ['too old, of two numbers', 'echo "postgres (PostgreSQL) 12.22"', '13.0', 'it is 12.22, older than 13.0'],
    ['none that runs here', `echo "${lacking}" >&2; exit 127`, '6.0.0', `it does not run here: ${lacking}`],
  ])('is refused when it is %s', async (_, script, least, words) => {
    await expect(thatRuns(saying(script), least)).rejects.toThrow(words);
  });
});
