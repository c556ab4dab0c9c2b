/** Where files lie: a folder of this machine, or a bucket. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly changed: string;
  /** Of its content, where the store has such a thing. */
  readonly tag?: string;
}

/** From the first byte on, up to the second, which is left out. */
export type Range = readonly [from: number, to: number];

export interface FileStore {
  /** For messages: the folder, or the bucket with its prefix. */
  readonly at: string;
  /** Those whose names have one of the endings, sorted by name. */
  list(endings: readonly string[], signal: AbortSignal): Promise<readonly StoredFile[]>;
  read(file: StoredFile, range: Range | undefined, signal: AbortSignal): AsyncIterable<Buffer>;
}

export const hasEnding = (name: string, endings: readonly string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));
