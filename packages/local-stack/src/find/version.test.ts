import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thatRuns } from './version.ts';

describe('a program that was found', () => {
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'roster-version-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  const saying = async (script: string): Promise<string> => {
    const file = join(dir, 'program');
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return file;
  };

  it.each([
    ['Redis server v=6.2.14 sha=00000000:0 malloc=libc bits=64', '6.2.0'],
    ['Valkey server v=8.0.1 sha=0', '6.2.0'],
    ['db version v6.0.5', '6.0.0'],
    ['db version v10.0.0', '6.0.0'],
    ['postgres (PostgreSQL) 15.6 (Debian 15.6-0+deb12u1)', '13.0'],
    ['mariadbd  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64', '10.5'],
  ])('is used when it is new enough: %s', async (line, least) => {
    const program = await saying(`echo "${line}"`);
    expect(await thatRuns(program, least)).toBe(program);
  });

  it('is refused when it is too old', async () => {
    const program = await saying('echo "Redis server v=6.0.16 sha=0"');
    await expect(thatRuns(program, '6.2.0')).rejects.toThrow('it is 6.0.16, older than 6.2.0');
  });

  it('is refused when its version of two numbers is too old', async () => {
    const program = await saying('echo "postgres (PostgreSQL) 12.22"');
    await expect(thatRuns(program, '13.0')).rejects.toThrow('it is 12.22, older than 13.0');
  });

  it('is refused with its own words when it does not run here', async () => {
    const program = await saying('echo "libcurl.so.4: cannot open shared object file" >&2; exit 127');
    await expect(thatRuns(program, '6.0.0')).rejects.toThrow(
      'it does not run here: libcurl.so.4: cannot open shared object file',
    );
  });
});
