// A disk of our own, in a file: copied while it is mounted, it holds just what the file system had flushed by then.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const command = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: 'pipe' });

export interface LoopDisk {
  /** Where it is mounted. */
  dir: string;
  /** What would be left if the power failed now. */
  copy(): void;
  /** Mounts that, as the next boot would. */
  mountCopy(): string;
  unmountCopy(): void;
  remove(): void;
}

export const createLoopDisk = (size = '3G'): LoopDisk => {
  const base = mkdtempSync(join(tmpdir(), 'roster-disk-'));
  const image = join(base, 'image');
  const cut = join(base, 'cut');
  const dir = join(base, 'dir');
  const cutDir = join(base, 'cut-dir');
  mkdirSync(dir);
  mkdirSync(cutDir);
  command('truncate', '-s', size, image);
  command('mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image);
  command('mount', '-o', 'loop', image, dir);
  const unmount = (mounted: string): void => {
    try {
      // Lazily: a server may still have it open.
      command('umount', '--lazy', mounted);
    } catch {
      // It was not mounted.
    }
  };
  const remove = (): void => {
    process.off('exit', remove);
    unmount(cutDir);
    unmount(dir);
    rmSync(base, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return {
    dir,
    copy: () => command('cp', '--sparse=always', image, cut),
    mountCopy() {
      command('mount', '-o', 'loop', cut, cutDir);
      return cutDir;
    },
    unmountCopy: () => command('umount', cutDir),
    remove,
  };
};

/** Why this machine can't mount one, or undefined. */
export const loopTrouble = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'only root may mount a loop device';
  try {
    createLoopDisk('16M').remove();
    return undefined;
  } catch (error) {
    return `no loop device can be mounted: ${(error as Error).message.split('\n')[0]}`;
  }
};
