/** The standard output of this process. */
import { fstatSync, statSync } from 'node:fs';

/** Resolves when the text is written. */
export const writeOut = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Closed from the start: Node opens the null device in its place, so `bin/roster` looks before. */
export const isClosed = (env: NodeJS.ProcessEnv): boolean => env.ROSTER_STDOUT === 'closed';

/** What is written there is gone. */
export const isNullDevice = (): boolean => {
  try {
    const [found, none] = [fstatSync(1), statSync('/dev/null')];
    return found.isCharacterDevice() && found.rdev === none.rdev;
  } catch {
    return false;
  }
};
