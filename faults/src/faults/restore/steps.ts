// The steps of docs/runbook.md: the very lines that an operator reads.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readLocal } from '../../harness/local.ts';
import type { System } from '../../harness/system.ts';
import { eachOf } from '../../harness/wait.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const limitMs = 120_000;

/** The commands of a section, without their comments. */
export const stepsOf = (section: string): string[] => {
  const text = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
  const [, after = ''] = text.split(`\n### ${section}\n`);
  const [part = ''] = after.split(/\n##/);
  const [, block = ''] = /```sh\n(.*?)```/s.exec(part) ?? [];
  const lines = block.split('\n').map((line) => line.replace(/ # .*$/, '').trim());
  return lines.filter((line) => line !== '');
};

/** `roster` and the variables of the page. */
const surroundings = ({ dir }: System, variables: Record<string, string>): NodeJS.ProcessEnv => {
  const { redisUrl, mongoUrl } = readLocal(dir);
  const bin = join(dir, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'roster');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${root}bundle/roster.js" "$@"\n`);
  chmodSync(program, 0o755);
  const secret = readFileSync(join(dir, 'secret'), 'utf8').trim();
  return {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: process.env.HOME,
    REDIS_URL: redisUrl,
    MONGO_URL: mongoUrl,
    ROSTER_SECRET: secret,
    MONGO_DATA: join(dir, 'data/mongo'),
    ...variables,
  };
};

/** A trial runs some of the services; the page names all. */
const processesOf = (system: System, names: readonly string[]): string[] =>
  names.flatMap((name) => (system.parts.includes(name) ? [name] : system.processesOf(name)));

const manage = async (system: System, what: string, names: readonly string[]): Promise<void> =>
  eachOf(processesOf(system, names), 4, async (name) => {
    const part = system.part(name);
    if (what === 'start') await part.start();
    else if (part.alive()) await part.end('SIGTERM');
  });

export interface Steps {
  mongoUrl: string;
  /** Runs one line as the page means it; gives its output. */
  run(line: string): Promise<string>;
}

export const createSteps = (system: System, variables: Record<string, string>): Steps => {
  const env = surroundings(system, variables);
  return {
    mongoUrl: readLocal(system.dir).mongoUrl,
    async run(line) {
      const [what = '', ...names] = line.split(' ');
      if (what === 'stop' || what === 'start') {
        await manage(system, what, names);
        return '';
      }
      const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', line], { env, timeout: limitMs });
      return stdout;
    },
  };
};
