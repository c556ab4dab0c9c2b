/** Settings and secrets of a stack, made as an operator would make them: by commands of `roster`, in one process. */
import { runCommand } from '../find/command.ts';
import { writePrivate } from '../servers/private-file.ts';
import type { Home } from './home.ts';

export interface Cli {
  script: string;
  env: NodeJS.ProcessEnv;
}

/** A secret that is kept for the next start, and the settings that it belongs to. */
export interface Setup {
  settings: { of: 'workspace' | 'company'; file: string; is: object };
  /** The command that makes the secret, its name in the answer, and the file that keeps it. */
  create: string[];
  secret: 'key' | 'token';
  file: string;
  /** Where it is tried, with these headers. */
  tryAt: string;
  headers: Readonly<Record<string, string>>;
}

/** The servers may be others than yesterday's, and know nothing of it. A request without a body is refused, but not with 401. */
export const isKnown = async (
  baseUrl: string,
  secret: string,
  { tryAt, headers }: Setup,
): Promise<boolean> => {
  const all = { ...headers, Authorization: `Bearer ${secret}` };
  const { status } = await fetch(`${baseUrl}${tryAt}`, { method: 'POST', headers: all });
  return status !== 401;
};

/** Runs commands of `roster` in one process, and gives the answer to each: JSON text. */
export const roster = async ({ script, env }: Cli, commands: string[][]): Promise<string[]> => {
  const args = [script, ...commands.map((words) => JSON.stringify([...words, '--json']))];
  const { ok, stdout, stderr } = await runCommand(process.execPath, args, { timeoutMs: 180_000, env });
  if (!ok) throw new Error(`The database could not be prepared: ${stderr.replace(/^roster: /, '')}`);
  return JSON.parse(stdout) as string[];
};

const secretIn = (answer: string | undefined, name: Setup['secret']): string => {
  const { [name]: made } = JSON.parse(answer ?? '{}') as { key?: string; token?: string };
  if (!made) throw new Error(`roster showed no ${name}`);
  return made;
};

const commandsOf = (home: Home, { settings: { of, file, is }, create }: Setup): string[][] => {
  const path = home.file(file);
  writePrivate(path, `${JSON.stringify(is, null, 2)}\n`);
  return [[of, 'apply', path], create];
};

/** Indexes first, then each setup. The secrets are kept in their files. */
export const setUp = async (home: Home, cli: Cli, setups: readonly Setup[]): Promise<void> => {
  const commands = setups.flatMap((setup) => commandsOf(home, setup));
  const answers = await roster(cli, [['migrate'], ...commands]);
  for (const [n, { secret, file }] of setups.entries())
    writePrivate(home.file(file), `${secretIn(answers[2 * n + 2], secret)}\n`);
};
