/** The vendor's own mongod, by `mongodb-memory-server-core`: it knows which build fits which system. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const version = '7.0.24';
/** Networks that refuse do so at once or never: more patience only keeps a user waiting. */
const firstByteMs = 20_000;
const silenceMs = 30_000;
const wholeMs = 900_000;

const bytesIn = async (dir: string): Promise<number> => {
  const names = await readdir(dir).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(dir, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** A process of its own, because the library can neither be hurried nor stopped. */
const startDownload = (dir: string) => {
  const script = fileURLToPath(new URL('./vendor-download.js', import.meta.url));
  const env = {
    ...process.env,
    // The library does not check certificates unless npm is told to.
    npm_config_strict_ssl: 'true',
    MONGOMS_MD5_CHECK: '1',
    MONGOMS_MAX_RETRIES: '1',
  };
  const child = spawn(process.execPath, [script, dir, version], {
    env,
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let path = '';
  child.stdout.on('data', (data) => {
    path += data;
  });
  child.stderr.on('data', (data) => {
    said = `${said}${data}`.slice(-2000);
  });
  const ended = once(child, 'close').then(() => true);
  return {
    child,
    ended,
    path: () => path.trim().split('\n').at(-1) ?? '',
    said: () => said.trim(),
  };
};

/** Watches the bytes arrive; says why when they don't. */
const stalled = async (dir: string, ended: Promise<boolean>): Promise<string | undefined> => {
  const began = Date.now();
  const seen = { bytes: 0, at: began };
  while (!(await Promise.race([ended, sleep(500, false)]))) {
    const bytes = await bytesIn(dir);
    if (bytes > seen.bytes) Object.assign(seen, { bytes, at: Date.now() });
    const silent = Date.now() - seen.at;
    if (bytes === 0 && silent > firstByteMs) return `nothing came within ${firstByteMs / 1000} s`;
    if (silent > silenceMs || Date.now() - began > wholeMs) return 'the download came to a halt';
  }
  return undefined;
};

export const takeFromVendor = async (scraps: string, target: string): Promise<void> => {
  const { child, ended, path, said } = startDownload(scraps);
  const halt = await stalled(scraps, ended).finally(() => child.kill('SIGKILL'));
  if (halt) throw new Error(halt);
  if (child.exitCode !== 0) throw new Error(said() || 'the download failed');
  await copyFile(path(), target);
};
