import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@roster/testkit';
import { createReadCredential } from './credentials.ts';

const inRoot = useFolder();
let dir: string;

beforeAll(async () => {
  dir = inRoot('credentials');
  await mkdir(join(dir, 'folder'), { recursive: true });
  await writeFile(join(dir, 'smtp'), 'smtps://a:b@example.com\n');
  await writeFile(join(dir, 'folder', 'mounted'), 'within');
  await writeFile(join(dir, 'empty'), ' \n');
  await writeFile(join(dir, 'largest'), 'x'.repeat(64 * 1024));
  await writeFile(join(dir, 'large'), 'x'.repeat(64 * 1024 + 1));
  await writeFile(inRoot('outside'), 'of another program');
  await symlink(inRoot('outside'), join(dir, 'led-out'));
  await symlink(join('folder', 'mounted'), join(dir, 'link'));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
});

describe('a credential', () => {
  it('is read from a variable or a file', async () => {
    const read = createReadCredential({ env: { ROSTER_CREDENTIAL_X: ' secret ' }, dir });
    expect(await read({ env: 'ROSTER_CREDENTIAL_X' })).toBe('secret');
    expect(await read({ file: 'smtp' })).toBe('smtps://a:b@example.com');
    expect(await read({ file: 'largest' })).toHaveLength(64 * 1024);
  });

  it('is read through a link within the folder, as mounted secrets have them', async () => {
    expect(await createReadCredential({ env: {}, dir })({ file: 'link' })).toBe('within');
  });

  it('is read through a link to the folder itself', async () => {
    await symlink(dir, inRoot('current'));
    const read = createReadCredential({ env: {}, dir: inRoot('current') });
    expect(await read({ file: 'smtp' })).toBe('smtps://a:b@example.com');
  });

  it.each([
    [
      { env: 'ROSTER_CREDENTIAL_X' },
      'the variable ROSTER_CREDENTIAL_X is not set or empty: set it to the credential',
    ],
    [
      { file: 'empty' },
      'the file empty in CREDENTIALS_DIR is empty. "roster channel credential empty" writes it from standard input.',
    ],
    [
      { file: 'none' },
      'there is no file none in CREDENTIALS_DIR (ENOENT). "roster channel credential none" writes it from standard input.',
    ],
    [{ file: 'large' }, 'the file large in CREDENTIALS_DIR is larger than 64 KB'],
    [{ file: 'led-out' }, 'the file led-out in CREDENTIALS_DIR is a link to a place outside of it'],
    [{ file: 'folder' }, 'folder in CREDENTIALS_DIR is not a file'],
    [{ file: 'pipe' }, 'pipe in CREDENTIALS_DIR is not a file'],
  ])('%j: says what is missing', async (reference, message) => {
    await expect(createReadCredential({ env: {}, dir })(reference)).rejects.toThrow(message);
  });

  it('says which command writes one that is missing, also while its folder is missing', async () => {
    const command = 'roster integration credential';
    const read = createReadCredential({ env: {}, dir: inRoot('no-folder'), command });
    await expect(read({ file: 'warehouse' })).rejects.toThrow(`"${command} warehouse" writes it`);
  });

  it('is in no file without a folder', async () => {
    await expect(createReadCredential({ env: {} })({ file: 'smtp' })).rejects.toThrow(
      'CREDENTIALS_DIR is not set',
    );
  });

  it('that cannot be read is looked for again, one that was read is kept for a while', async () => {
    const read = createReadCredential({ env: {}, dir });
    await expect(read({ file: 'later' })).rejects.toThrow('ENOENT');
    await writeFile(join(dir, 'later'), 'first');
    expect(await read({ file: 'later' })).toBe('first');
    await writeFile(join(dir, 'later'), 'second');
    expect(await read({ file: 'later' })).toBe('first');
  });

  it('is read again when more than a thousand others were read since', async () => {
    const env: Record<string, string> = { A: 'first' };
    const read = createReadCredential({ env });
    await read({ env: 'A' });
    env.A = 'second';
    for (let n = 0; n < 999; n++) await read({ env: 'A' });
    expect(await read({ env: 'A' })).toBe('first');
    for (let n = 0; n < 1000; n++) {
      env[`N${n}`] = 'x';
      await read({ env: `N${n}` });
    }
    expect(await read({ env: 'A' })).toBe('second');
  });
});
