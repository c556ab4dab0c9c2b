/** Settings and secrets of a stack, made as an operator would make them: by commands of `roster`, in one process. */
import { mustRun } from '../find/command.ts';
import { writePrivate } from '../servers/private-file.ts';

export interface Cli {
  script: string;
  env: NodeJS.ProcessEnv;
}

export interface Setup {
  commands: string[][];
  /** The name of the secret in the answer to the last command, and the file that keeps it. */
  secret: 'key' | 'token';
  file: string;
}

/** Runs commands of `roster` in one process, and gives the answer to each: JSON text. */
export const roster = async ({ script, env }: Cli, commands: string[][]): Promise<string[]> => {
  const args = [script, ...commands.map((words) => JSON.stringify([...words, '--json']))];
  return JSON.parse(await mustRun(process.execPath, args, { timeoutMs: 180_000, env })) as string[];
};

const secretIn = (answer: string | undefined, name: Setup['secret']): string => {
  const { [name]: made } = JSON.parse(answer ?? '{}') as { key?: string; token?: string };
  if (!made) throw new Error(`roster showed no ${name}`);
  return made;
};

/** Indexes first, then each setup. The secrets are kept in their files. */
export const setUp = async (cli: Cli, setups: readonly Setup[]): Promise<void> => {
  const answers = await roster(cli, [['indexes', '--apply'], ...setups.flatMap(({ commands }) => commands)]);
  let last = 0;
  for (const { commands, secret, file } of setups) {
    last += commands.length;
    writePrivate(file, `${secretIn(answers[last], secret)}\n`);
  }
};
