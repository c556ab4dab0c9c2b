import fs, { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { useFolder } from '@roster/testkit';
import { makePrivateFolder, tighten, writePrivate } from './private-file.ts';

/** What is asked of the real disk is written down in the order in which it was. */
const listen = (): string[] => {
  const heard: string[] = [];
  const names = new Map<number, string>();
  const short = (path: unknown) => String(path).split('/').at(-1) ?? '';
  const { openSync, fsyncSync, renameSync } = fs;
  jest.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
    const handle = openSync(path, ...rest);
    names.set(handle, short(path));
    return handle;
  });
  jest.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
    heard.push(`sync ${names.get(handle)}`);
    fsyncSync(handle);
  });
  jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    heard.push(`rename ${short(from)} to ${short(to)}`);
    renameSync(from, to);
  });
  return heard;
};

describe('private files', () => {
  const inFolder = useFolder({ forEach: true });
  const inHome = (...names: string[]) => inFolder('home', ...names);
  beforeEach(() => mkdirSync(inHome()));
  afterEach(() => jest.restoreAllMocks());
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('are on the disk before they have their name, and their name is on the disk before we go on', () => {
    const heard = listen();
    writePrivate(inHome('secret'), 'abc\n');
    expect(heard).toEqual(['sync secret.new', 'rename secret.new to secret', 'sync home']);
    expect(readFileSync(inHome('secret'), 'utf8')).toBe('abc\n');
    expect(modeOf(inHome('secret'))).toBe(0o600);
  });

  it('keep what they were when the disk is full', () => {
    writePrivate(inHome('secret'), 'abc\n');
    symlinkSync('/dev/full', inHome('secret.new'));
    expect(() => writePrivate(inHome('secret'), 'xyz\n')).toThrow('ENOSPC');
    expect(readFileSync(inHome('secret'), 'utf8')).toBe('abc\n');
  });

  it('stand in folders that are on the disk in theirs', () => {
    const heard = listen();
    makePrivateFolder(inHome('data', 'redis'));
    expect(heard).toEqual(['sync home', 'sync data']);
    expect(modeOf(inHome('data'))).toBe(0o700);
  });

  it('are shut where they stood open, and what a link leads to is left alone', () => {
    const outside = inFolder('outside');
    writeFileSync(outside, '');
    chmodSync(outside, 0o644);
    mkdirSync(inHome('logs'), { mode: 0o755 });
    writeFileSync(inHome('logs', 'ingress.log'), '', { mode: 0o644 });
    symlinkSync(outside, inHome('logs', 'link'));
    tighten(inHome());
    const modes = [inHome(), inHome('logs'), inHome('logs', 'ingress.log'), outside].map(modeOf);
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o644]);
  });
});
