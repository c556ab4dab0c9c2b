/** Keeps the logs of a stack that runs for weeks from filling the disk: a big one is put aside, once. */
import { copyFile, stat, truncate } from 'node:fs/promises';

const most = 50 * 1024 * 1024;

const trim = async (file: string): Promise<void> => {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size < most) return;
  // The processes append: after this they go on at the start of the file.
  await copyFile(file, `${file}.old`);
  await truncate(file);
};

/** Returns the end of it. */
export const trimLogs = (files: () => string[]): (() => void) => {
  const timer = setInterval(() => {
    // It is tried again in ten seconds.
    for (const file of files()) trim(file).catch(() => {});
  }, 10_000);
  timer.unref();
  return () => clearInterval(timer);
};
