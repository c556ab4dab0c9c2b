/** The surroundings of the commands; tests bring their own. */
import { readFileSync } from 'node:fs';
import { environment } from '@roster/runtime';

export interface Io {
  out(text: string): void;
  err(text: string): void;
  env: Readonly<Record<string, string | undefined>>;
  /** The text of a file; `-` is standard input. Throws as node does. */
  readText(path: string): string;
  now(): Date;
}

export const realIo = (): Io => ({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: environment(),
  readText: (path) => readFileSync(path === '-' ? 0 : path, 'utf8'),
  now: () => new Date(),
});
