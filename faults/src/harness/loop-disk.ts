// A disk of our own, in a file: copied while it is mounted, it holds just what the file system had flushed by then.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const command = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: 'pipe' });

export interface LoopDisk {
  /** Where it is mounted. */
  dir: string;
  /** Everything that was written is on it from here on. */
  sync(): void;
  /** Leaves no byte free; gives what frees them again. */
  fill(): () => void;
  /** The disk as the next boot finds it, if the power failed now. */
  afterPowerCut(): LoopDisk;
  remove(): void;
}

/** Takes all that is free, in blocks and then in bytes: what a file has left in its last block is all that can still be written. */
const fillUp = (dir: string): (() => void) => {
  const filler = join(dir, 'filler');
  const { bavail, bsize } = statfsSync(dir);
  command('fallocate', '-l', String(Math.max(1, (bavail - 64) * bsize)), filler);
  try {
    command('dd', 'if=/dev/zero', `of=${filler}.rest`, `bs=${bsize}`);
  } catch {
    // It ends when the disk is full.
  }
  return () => {
    for (const file of [filler, `${filler}.rest`]) rmSync(file, { force: true });
  };
};

const unmount = (dir: string): void => {
  try {
    // Lazily: a server may still have it open.
    command('umount', '--lazy', dir);
  } catch {
    // It was not mounted.
  }
};

/** Mounts the image that `make` leaves in the file it is given. */
const mounted = (make: (image: string) => void): LoopDisk => {
  const base = mkdtempSync(join(tmpdir(), 'roster-disk-'));
  const [image, dir] = [join(base, 'image'), join(base, 'dir')];
  mkdirSync(dir);
  const remove = (): void => {
    unmount(dir);
    rmSync(base, { recursive: true, force: true });
  };
  make(image);
  command('mount', '-o', 'loop', image, dir);
  return {
    dir,
    sync: () => command('sync', '--file-system', dir),
    fill: () => fillUp(dir),
    afterPowerCut: () => mounted((copy) => command('cp', '--sparse=always', image, copy)),
    remove,
  };
};

export const createLoopDisk = (size = '3G'): LoopDisk =>
  mounted((image) => {
    command('truncate', '-s', size, image);
    // No blocks kept for root: a full disk is full for all users.
    command('mkfs.ext4', '-q', '-m', '0', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image);
  });

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
