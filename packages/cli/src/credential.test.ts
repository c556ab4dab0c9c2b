import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createReadCredential } from '@roster/channels';
import { useFolder } from '@roster/testkit';
import { run, runJson } from './test-io.ts';

const inWork = useFolder({ forEach: true });
const keep = (name: string, text: string, dir = inWork('credentials')) =>
  run(`channel credential ${name}`, { env: { CREDENTIALS_DIR: dir }, files: { '-': text } });

describe('roster channel credential', () => {
  it('keeps what it reads as a file that services find, for its owner only', async () => {
    const dir = inWork('credentials');
    expect(await keep('smtp', 'smtps://a:b@mail.test\n')).toMatchObject({ code: 0, out: '{ file: smtp }\n' });
    expect(statSync(inWork('credentials/smtp')).mode & 0o777).toBe(0o600);
    expect(await createReadCredential({ env: {}, dir })({ file: 'smtp' })).toBe('smtps://a:b@mail.test');
    await keep('smtp', 'smtps://c:d@mail.test');
    expect(await createReadCredential({ env: {}, dir })({ file: 'smtp' })).toBe('smtps://c:d@mail.test');
    expect(readdirSync(dir)).toEqual(['smtp']);
  });

  it('keeps those of integrations, and texts of many lines as they are', async () => {
    const world = { env: { CREDENTIALS_DIR: inWork() }, files: { '-': '{\n "a": 1 }\n' } };
    expect(await runJson('integration credential lake.json', world)).toEqual({ file: 'lake.json' });
    expect(readFileSync(inWork('lake.json'), 'utf8')).toBe('{\n "a": 1 }\n');
  });

  it.each([
    ['../smtp', 'x', 'a name has letters'],
    ['.smtp', 'x', 'a name has letters'],
    ['smtp', ' \n', 'nothing came on standard input'],
    ['smtp', 'x'.repeat(64 * 1024 + 1), 'at most 64 KB'],
  ])('keeps nothing for %s', async (name, text, problem) => {
    const { code, err } = await keep(name, text);
    expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
    expect(readdirSync(inWork())).toEqual([]);
  });

  it('says what to do without a folder, and with one that cannot be written', async () => {
    expect((await keep('smtp', 'x', '')).err).toContain('set CREDENTIALS_DIR');
    expect((await keep('smtp', 'x', inWork('none/there'))).err).toMatch(
      /cannot write.*mounted secret, add smtp/s,
    );
  });
});
