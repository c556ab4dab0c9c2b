/** An empty project into which somebody has installed the packed client. */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exampleModule } from './examples.ts';

const run = promisify(execFile);

/** What the scripts are told: they have no arguments where there is no process. */
export interface Place {
  url: string;
  /** Addresses of a server that never answers, and of none. */
  silent: string;
  nowhere: string;
  key: string;
  /** About whom they write. */
  person: string;
  webhook: { secret: string; text: string; headers: Record<string, string> };
}

export interface Project {
  folder: string;
  put(name: string, text: string): Promise<string>;
  /** What a program of the project says on standard output. */
  run(program: string, args: readonly string[], variables?: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
}

const client = join(__dirname, '../../../packages/client');
const quietly = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
const env = { PATH: process.env.PATH, NO_COLOR: '1' };

export const openProject = async (): Promise<Project> => {
  const folder = await mkdtemp(join(tmpdir(), 'roster-runtimes-'));
  const put = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const { stdout } = await run(process.execPath, [join(client, 'build/pack.mjs'), folder]);
  await put('package.json', JSON.stringify({ name: 'somebody', private: true, type: 'module' }));
  await run('npm', ['install', ...quietly, stdout.trim()], { cwd: folder });
  await copyFile(join(__dirname, 'look.mjs'), join(folder, 'look.mjs'));
  await put('examples.mjs', exampleModule());
  return {
    folder,
    put,
    async run(program, args, variables) {
      const options = { cwd: folder, env: { ...env, ...variables }, timeout: 120_000 };
      return (await run(program, args, options)).stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
