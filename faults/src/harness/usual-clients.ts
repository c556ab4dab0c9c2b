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

interface Program {
  needs: string;
  /** Without it nothing is proven. */
  must?: true;
  /** Makes it in this folder, where it has to be made. */
  make?(folder: string): Promise<unknown>;
  command(folder: string, posting: Posting): [string, string[]];
}

const source = (name: string): string => fileURLToPath(new URL(`../../src/clients/${name}`, import.meta.url));

const lines = ({ headers }: Posting): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

const wanted = (posting: Posting): string[] => [
  posting.url,
  String(posting.times),
  String(posting.bytes),
  ...lines(posting),
];

const make = (command: string, ...args: string[]): Promise<unknown> =>
  run(command, args, { timeout: 180_000 });

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** curl does one at a time; a shell repeats it. */
const curl = (folder: string, posting: Posting): [string, string[]] => {
  const body = join(folder, 'body');
  writeFileSync(body, Buffer.alloc(posting.bytes, ' '));
  const headers = lines(posting).flatMap((line) => ['-H', line]);
  const once = [
    'curl',
    '-sS',
    '-w',
    '\t%{http_code}\n',
    '--data-binary',
    `@${body}`,
    ...headers,
    posting.url,
  ];
  return [
    '/bin/sh',
    ['-c', `for i in $(seq ${posting.times}); do ${once.map(quoted).join(' ')} 2>&1; done; true`],
  ];
};

const programs: Program[] = [
  {
    needs: 'node',
    must: true,
    command: (_, posting) => [process.execPath, [source('client.mjs'), ...wanted(posting)]],
  },
  {
    needs: 'python3',
    must: true,
    command: (_, posting) => ['python3', [source('client.py'), ...wanted(posting)]],
  },
  { needs: 'curl', must: true, command: curl },
  {
    needs: 'go',
    make: (folder) => make('go', 'build', '-o', join(folder, 'go-client'), source('client.go')),
    command: (folder, posting) => [join(folder, 'go-client'), wanted(posting)],
  },
  {
    needs: 'javac',
    make: (folder) => make('javac', '-d', folder, source('Client.java')),
    command: (folder, posting) => ['java', ['-cp', folder, 'Client', ...wanted(posting)]],
  },
  {
    needs: 'rustc',
    make: (folder) => make('rustc', '-O', '-o', join(folder, 'rust-client'), source('client.rs')),
    command: (folder, posting) => [join(folder, 'rust-client'), wanted(posting)],
  },
];

const isThere = ({ needs }: Program): Promise<boolean> =>
  run('/bin/sh', ['-c', `command -v ${needs}`]).then(
    () => true,
    () => false,
  );

const readIn = (needs: string, line: string): Read => {
  if (needs !== 'curl') {
    const [client = '', status = '', body = ''] = line.split('\t');
    return { client, status, body };
  }
  const [body = '', status = ''] = line.split('\t');
  return { client: 'curl', status, body };
};

export interface UsualClients {
  names: string[];
  missing: string[];
  /** Of those that are missing, the ones that must be there. */
  indispensable: string[];
  post(name: string, posting: Posting): Promise<Read[]>;
}

const makeAll = async (): Promise<UsualClients> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-clients-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const found = await Promise.all(programs.map(isThere));
  const there = programs.filter((_, n) => found[n]);
  const gone = programs.filter((_, n) => !found[n]);
  for (const program of there) await program.make?.(folder);
  return {
    names: there.map(({ needs }) => needs),
    missing: gone.map(({ needs }) => needs),
    indispensable: gone.filter(({ must }) => must).map(({ needs }) => needs),
    async post(name, posting) {
      const program = there.find(({ needs }) => needs === name);
      if (!program) throw new Error(`there is no ${name}`);
      const [command, args] = program.command(folder, posting);
      const { stdout } = await run(command, args, { timeout: 300_000, maxBuffer: 64 * 1024 * 1024 });
      return stdout
        .trim()
        .split('\n')
        .map((line) => readIn(name, line));
    },
  };
};

let made: Promise<UsualClients> | undefined;

/** Made once, for a trial and its control. */
export const usualClients = (): Promise<UsualClients> => {
  made ??= makeAll();
  return made;
};
