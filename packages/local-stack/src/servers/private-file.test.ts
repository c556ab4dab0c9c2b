import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Disk, disk, makePrivateFolder, tighten, writePrivate } from './private-file.ts';

/** The real disk; what is asked of it is written down in the order in which it was. */
const listening = (): { on: Disk; heard: string[] } => {
  const heard: string[] = [];
  const names = new Map<number, string>();
  const short = (path: unknown) => String(path).split('/').at(-1) ?? '';
  const on: Disk = {
    ...disk,
    openSync: (path, ...rest) => {
      const handle = disk.openSync(path, ...rest);
      names.set(handle, short(path));
      return handle;
    },
    fsyncSync: (handle) => {
      heard.push(`sync ${names.get(handle)}`);
      disk.fsyncSync(handle);
    },
    renameSync: (from, to) => {
      heard.push(`rename ${short(from)} to ${short(to)}`);
      disk.renameSync(from, to);
    },
  };
  return { on, heard };
};

describe('private files', () => {
  let dir = '';
  beforeEach(() => {
    dir = join(mkdtempSync(join(tmpdir(), 'roster-private-')), 'home');
    mkdirSync(dir);
  });
  afterEach(() => rmSync(dirname(dir), { recursive: true }));
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('are on the disk before they have their name, and their name is on the disk before we go on', () => {
    const { on, heard } = listening();
    writePrivate(join(dir, 'secret'), 'abc\n', on);
    expect(heard).toEqual(['sync secret.new', 'rename secret.new to secret', 'sync home']);
    expect(readFileSync(join(dir, 'secret'), 'utf8')).toBe('abc\n');
    expect(modeOf(join(dir, 'secret'))).toBe(0o600);
  });

  it('keep what they were when the disk is full', () => {
    writePrivate(join(dir, 'secret'), 'abc\n');
    symlinkSync('/dev/full', join(dir, 'secret.new'));
    expect(() => writePrivate(join(dir, 'secret'), 'xyz\n')).toThrow('ENOSPC');
    expect(readFileSync(join(dir, 'secret'), 'utf8')).toBe('abc\n');
  });

  it('stand in folders that are on the disk in theirs', () => {
    const { on, heard } = listening();
    makePrivateFolder(join(dir, 'data', 'redis'), on);
    expect(heard).toEqual(['sync home', 'sync data']);
    expect(modeOf(join(dir, 'data'))).toBe(0o700);
  });

  it('are shut where they stood open, and what a link leads to is left alone', () => {
    const outside = join(dir, '..', 'outside');
    writeFileSync(outside, '');
    chmodSync(outside, 0o644);
    mkdirSync(join(dir, 'logs'), { mode: 0o755 });
    writeFileSync(join(dir, 'logs', 'ingress.log'), '', { mode: 0o644 });
    symlinkSync(outside, join(dir, 'logs', 'link'));
    tighten(dir);
    const modes = [dir, join(dir, 'logs'), join(dir, 'logs', 'ingress.log'), outside].map(modeOf);
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o644]);
    rmSync(outside);
  });
});
