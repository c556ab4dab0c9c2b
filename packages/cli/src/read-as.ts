/** A file that was named on the command line. */
import type { Io } from './io.ts';
import { messageOf, wrong } from './result.ts';

/** What is parsed of it, or an end that says why it can't be read. */
export const readAs = <Read>(io: Io, file: string, parse: (text: string) => Read): Read => {
  try {
    return parse(io.readText(file));
  } catch (error) {
    if (messageOf(error).startsWith('ENOENT')) throw wrong(`there is no file ${file}.`);
    throw wrong(`cannot read ${file}: ${messageOf(error)}`);
  }
};
