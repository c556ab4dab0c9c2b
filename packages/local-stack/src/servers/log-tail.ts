import { readFileSync } from 'node:fs';

/** What a program said last, for the message that it did not start. */
export const logTail = (file: string, lines = 8): string => {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
};
