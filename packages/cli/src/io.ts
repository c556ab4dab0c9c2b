/** The surroundings of the commands; tests bring their own. */
import { readFileSync } from 'node:fs';
import { environment } from '@roster/runtime';
import type { Asked, Preview } from './preview.ts';
import { messageOf, wrong } from './result.ts';
import { isClosed, isNullDevice, writeOut } from './standard-output.ts';

export interface Io {
  /** Standard output; fails when the text cannot be written. */
  out(text: string): void | Promise<void>;
  /** Whether it was closed from the start. */
  isClosed?(): boolean;
  /** Whether what is written there is gone. */
  isUnseen?(): boolean;
  err(text: string): void;
  env: Readonly<Record<string, string | undefined>>;
  /** The text of a file; `-` is standard input. Throws as node does. */
  readText(path: string): string;
  now(): Date;
  /** Instead of the process that writes messages as the sender does. */
  render?(asked: readonly Asked[]): Promise<Preview[]>;
}

export const realIo = (): Io => ({
  out: writeOut,
  isClosed: () => isClosed(process.env),
  isUnseen: isNullDevice,
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
