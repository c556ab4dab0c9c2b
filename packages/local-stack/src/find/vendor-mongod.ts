/** The vendor's own mongod, by `mongodb-memory-server-core`: it knows which build fits which system. */
import { readdirSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommand } from './command.ts';

const version = '7.0.24';
/** Networks that refuse do so at once or never: more patience only keeps a user waiting. */
const firstByteMs = 20_000;
const silenceMs = 30_000;
const wholeMs = 900_000;

/** A file may go between the two looks. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const bytesIn = (dir: string): number =>
  readdirSync(dir).reduce((sum, name) => sum + sizeOf(join(dir, name)), 0);

/** Watches the bytes arrive; says why when they don't. */
const stalled = async (dir: string, ended: Promise<unknown>): Promise<string | undefined> => {
  const seen = { bytes: 0, at: Date.now() };
  while (!(await Promise.race([ended, sleep(500)]))) {
    const bytes = bytesIn(dir);
    if (bytes > seen.bytes) Object.assign(seen, { bytes, at: Date.now() });
    const silent = Date.now() - seen.at;
    if (bytes === 0 && silent > firstByteMs) return `nothing came within ${firstByteMs / 1000} s`;
    if (silent > silenceMs) return 'the download came to a halt';
  }
  return undefined;
};

/** In a process of its own, because the library can neither be hurried nor stopped. */
export const takeFromVendor = async (scraps: string, target: string): Promise<void> => {
  const script = fileURLToPath(new URL('./vendor-download.js', import.meta.url));
  // The library does not check certificates unless npm is told to.
  const checks = { npm_config_strict_ssl: 'true', MONGOMS_MD5_CHECK: '1', MONGOMS_MAX_RETRIES: '1' };
  const env = { ...process.env, ...checks };
  const stop = new AbortController();
  const bounds = { timeoutMs: wholeMs, cwd: scraps, env, signal: stop.signal };
  const download = runCommand(process.execPath, [script, scraps, version], bounds);
  const halt = await stalled(scraps, download).finally(() => stop.abort());
  if (halt) throw new Error(halt);
  const { ok, stdout, stderr } = await download;
  if (!ok) throw new Error(stderr);
  await copyFile(stdout.trim().split('\n').at(-1) ?? '', target);
};
