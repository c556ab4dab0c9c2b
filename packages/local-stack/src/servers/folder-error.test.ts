import { mkdirSync, writeFileSync } from 'node:fs';
import { useFolder } from '@roster/testkit';
import { keepInCache } from '../find/cache.ts';
import { removeStack } from '../stack/remove.ts';
import { startStack } from '../stack/stack.ts';
import { diskFault, workingIn } from './folder-error.ts';

describe('a folder that cannot be used', () => {
  const inFolder = useFolder({ forEach: true });
  beforeEach(() => writeFileSync(inFolder('file'), ''));

  const sentence = (dir: string, what: string, variable = 'ROSTER_HOME') =>
    `Roster cannot work in the folder ${dir} (${variable}): ${what}, or set ${variable} to another folder.`;

  it.each(['file', 'file/below'])('is told of a start: %s', async (name) => {
    const dir = inFolder(name);
    await expect(startStack({ dir, say: () => {} })).rejects.toThrow(
      sentence(dir, 'it, or a part of its path, is not a folder. Move that away'),
    );
  });

  it('is told where a start can make no folder', async () => {
    await expect(startStack({ dir: '/proc/here', say: () => {} })).rejects.toThrow(
      '/proc/here (ROSTER_HOME)',
    );
  });

  it('is told of what is fetched, too', async () => {
    const before = process.env.ROSTER_CACHE;
    process.env.ROSTER_CACHE = inFolder('file');
    try {
      await expect(keepInCache('x', async () => {})).rejects.toThrow(
        '(ROSTER_CACHE): it, or a part of its path',
      );
    } finally {
      if (before === undefined) delete process.env.ROSTER_CACHE;
      else process.env.ROSTER_CACHE = before;
    }
  });

  it.each([
    ['ENOSPC', 'the disk is full. Free some space'],
    ['EDQUOT', 'the disk quota of this user is used up. Free some space'],
    ['EROFS', 'its file system is read-only. Make it writable'],
    ['EACCES', 'this user may not write there. Give it the right'],
  ])('is told with what to do: %s', async (code, what) => {
    const failing = workingIn({ variable: 'ROSTER_HOME', dir: '/x' }, async () => {
      throw Object.assign(new Error('raw'), { code });
    });
    await expect(failing).rejects.toThrow(sentence('/x', what));
  });

  it('is why a server has ended, when its log says so', () => {
    const log = '{"msg":"WiredTiger error","attr":{"message":"pwrite: failed: No space left on device"}}';
    expect([diskFault(inFolder(), log)?.code, diskFault(inFolder(), 'bad option')]).toEqual([
      'ENOSPC',
      undefined,
    ]);
  });

  it('leaves other errors as they are', async () => {
    mkdirSync(inFolder('empty'));
    await expect(removeStack(inFolder('empty'))).rejects.toThrow('is not the folder of a stack');
  });
});
