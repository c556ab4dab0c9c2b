import { runCommand } from './command.ts';

const numberIn = (text: string): string | undefined =>
  /(?:v=?\s?|Ver |PostgreSQL\) )(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1];

const isOlder = (version: string, least: string): boolean => {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number));
  const at = a?.findIndex((part, i) => part !== (b?.[i] ?? 0)) ?? -1;
  return at >= 0 && (a?.[at] ?? 0) < (b?.[at] ?? 0);
};

/** The program itself, if it runs on this machine and is new enough. */
export const thatRuns = async (program: string, least?: string): Promise<string> => {
  const { ok, stdout, stderr } = await runCommand(program, ['--version'], { timeoutMs: 10_000 });
  if (!ok) throw new Error(`it does not run here: ${stderr.trim().split('\n').at(-1)}`);
  if (least === undefined) return program;
  const version = numberIn(stdout);
  if (!version) throw new Error(`it does not tell its version: ${stdout.split('\n')[0]}`);
  if (isOlder(version, least)) throw new Error(`it is ${version}, older than ${least}`);
  return program;
};
