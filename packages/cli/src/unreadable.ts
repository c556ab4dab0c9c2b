/** What to say of a file that was named on the command line and can't be read. */
import { messageOf, type Stop, wrong } from './result.ts';

export const unreadable = (file: string, error: unknown): Stop =>
  messageOf(error).startsWith('ENOENT')
    ? wrong(`there is no file ${file}.`)
    : wrong(`cannot read ${file}: ${messageOf(error)}`);
