// Programs of the system that the image is made and tried with.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const limitMs = 300_000;
const mostBytes = 16_000_000;

/** The output of a program; fails with what it said. */
export const must = async (command, args, options = {}) => {
  const { stdout } = await promisify(execFile)(command, args, {
    timeout: limitMs,
    maxBuffer: mostBytes,
    ...options,
  });
  return stdout;
};
