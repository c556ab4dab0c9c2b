// HTTP clients of several languages, as they come: what of an answer do they get to read?
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Posting {
  url: string;
  times: number;
  /** Of the body. */
  bytes: number;
  headers: Record<string, string>;
}

/** What one client read of one answer; what is no number is its error. */
export interface Read {
  client: string;
  status: string;
  body: string;
}

const lines = ({ headers }: Posting): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

/** A program of ours: a line for each answer. */
const script =
  (program: string, name: string) =>
  async (posting: Posting): Promise<Read[]> => {
    const file = fileURLToPath(new URL(`../../src/clients/${name}`, import.meta.url));
    const { url, times, bytes } = posting;
    const args = [file, url, String(times), String(bytes), ...lines(posting)];
    const { stdout } = await run(program, args, { timeout: 300_000, maxBuffer: 64 * 1024 * 1024 });
    return stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [client = '', status = '', body = ''] = line.split('\t');
        return { client, status, body };
      });
  };

/** One after the other. */
const curl = async (posting: Posting): Promise<Read[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-curl-'));
  const file = join(folder, 'body');
  writeFileSync(file, Buffer.alloc(posting.bytes, ' '));
  const headers = lines(posting).flatMap((line) => ['-H', line]);
  const args = ['-sS', '-w', '\t%{http_code}', '--data-binary', `@${file}`, ...headers, posting.url];
  const reads: Read[] = [];
  for (let n = 0; n < posting.times; n++) {
    // What it says of an error stands there without a status.
    const said = await run('curl', args).catch(({ stdout, stderr }) => ({ stdout: `${stderr}${stdout}` }));
    const [body = '', status = ''] = said.stdout.split('\t');
    reads.push({ client: 'curl', status, body });
  }
  rmSync(folder, { recursive: true });
  return reads;
};

/** By the program that each needs. Without one of them nothing is proven. */
export const usualClients: Record<string, (posting: Posting) => Promise<Read[]>> = {
  node: script(process.execPath, 'client.mjs'),
  python3: script('python3', 'client.py'),
  curl,
};
