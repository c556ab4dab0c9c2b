/** The command lines of the programs that start a stack to try it: a wrong option and `--help` are answered with the usage. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Says a last sentence, on standard error when something is wrong. */
const leave = (code: number, message: string): never => {
  (code === 0 ? console.log : console.error)(message);
  process.exit(code);
};

export const readArguments = <const Given extends Options>(
  usage: string,
  options: Given,
): ReturnType<typeof parseArgs<{ allowPositionals: true; options: Given }>> => {
  if (process.argv.includes('--help')) leave(0, usage);
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return leave(2, `${(error as Error).message}\n\n${usage}`);
  }
};

/** Leaves when one of the names is not there. */
export const assertKnown = (what: string, names: readonly string[], known: readonly string[]): void => {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    leave(2, `There is no ${what} named ${unknown.join(', ')}. There are: ${known.join(', ')}`);
};
