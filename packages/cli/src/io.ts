/** The surroundings of the commands; tests bring their own. */
import { readFileSync } from 'node:fs';
import { environment } from '@roster/runtime';
import type { Asked, Preview } from './preview.ts';
import { messageOf, wrong } from './result.ts';

export interface Io {
  out(text: string): void;
  err(text: string): void;
  env: Readonly<Record<string, string | undefined>>;
  /** The text of a file; `-` is standard input. Throws as node does. */
  readText(path: string): string;
  now(): Date;
  /** Instead of the process that writes messages as the sender does. */
  render?(asked: readonly Asked[]): Promise<Preview[]>;
}

export const realIo = (): Io => ({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: environment(),
  readText: (path) => readFileSync(path === '-' ? 0 : path, 'utf8'),
  now: () => new Date(),
});

/** What is parsed of a file that was named on the command line, or an end that says why it can't be read. */
export const readAs = <Read>(io: Io, file: string, parse: (text: string) => Read): Read => {
  try {
    return parse(io.readText(file));
  } catch (error) {
    if (messageOf(error).startsWith('ENOENT')) throw wrong(`there is no file ${file}.`);
    throw wrong(`cannot read ${file}: ${messageOf(error)}`);
  }
};
