/** Where files lie: a folder of this machine, or a bucket. */
import { SourceError } from '../source-error.ts';

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly changed: string;
  /** Another one when the content is another. */
  readonly tag?: string;
  /** Why it is not read. */
  readonly problem?: string;
}

/** From the first byte on, up to the second, which is left out. */
type Range = readonly [from: number, to: number];

export interface FileStore {
  /** For messages. */
  readonly at: string;
  /** Those that are read, sorted by name. */
  list(endings: readonly string[], signal: AbortSignal): Promise<readonly StoredFile[]>;
  /** Fails when the file is no longer the one that was listed. */
  read(file: StoredFile, range: Range | undefined, signal: AbortSignal): AsyncIterable<Buffer>;
}

export type StoreBounds = Readonly<Record<'fileNames' | 'files' | 'filesBytes', number>>;

export const wasChanged = (name: string): SourceError =>
  new SourceError('file_changed', `${name} was changed or removed while it was read`);

/** Writers hide what is not finished, as Spark and Hive do: a part of its name begins with `.` or `_`. */
const isRead = (name: string, endings: readonly string[]): boolean =>
  !/(^|\/)[._]/.test(name) && endings.some((ending) => name.toLowerCase().endsWith(ending));

/** Takes the names that a store has, and keeps those that are read, within bounds. */
export const createListing = (at: string, endings: readonly string[], most: StoreBounds) => {
  const files: StoredFile[] = [];
  let [names, bytes] = [0, 0];
  const refuseMore = (what: string): never => {
    throw new SourceError('too_large', `${at} has more than ${what}`);
  };
  return {
    /** Whether the file is read; `name` may be a part of its name. */
    wants(name: string): boolean {
      names += 1;
      if (names > most.fileNames) refuseMore(`${most.fileNames} files of all kinds`);
      return isRead(name, endings);
    },
    add(file: StoredFile): void {
      files.push(file);
      bytes += file.bytes;
      if (files.length > most.files) refuseMore(`${most.files} files`);
      if (!(bytes <= most.filesBytes)) refuseMore(`${most.filesBytes / 2 ** 30} GB in files`);
    },
    sorted: (): readonly StoredFile[] => files.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
};
