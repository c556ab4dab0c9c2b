/** What this process and the one that reads say to each other. */
import type { Limits } from '../bounds.ts';
import type { LogLine } from '../log/writers.ts';
import type { ServerSettings, ServerTable } from '../settings.ts';
import type { Cursor, ReadOptions } from '../source.ts';
import type { SourceErrorCode } from '../source-error.ts';

/** Each names where it is asked, with the credentials: the process keeps nothing but the connection of a log. */
export type Question =
  | { readonly do: 'columns'; readonly table: ServerTable }
  | { readonly do: 'test'; readonly table: ServerSettings }
  | { readonly do: 'clock'; readonly table: ServerSettings; readonly mostSeconds: number | undefined }
  | { readonly do: 'estimate'; readonly table: ServerSettings; readonly since: Cursor | undefined }
  | { readonly do: 'missed'; readonly table: ServerSettings }
  | {
      readonly do: 'pages';
      readonly table: ServerSettings;
      readonly options: Omit<ReadOptions, 'signal' | 'rest'>;
    }
  | { readonly do: 'log.test' | 'log.close'; readonly table: ServerTable }
  | { readonly do: 'log.write'; readonly table: ServerTable; readonly lines: readonly LogLine[] };

/** `more` asks for the next value of a question, `stop` for no other one. */
export type Request =
  | { readonly id: number; readonly ask: Question; readonly limits: Partial<Limits> }
  | { readonly id: number; readonly want: 'more' | 'stop' }
  | { readonly isAlive: true };

/** `code` where the error is one of a source. */
export interface Failure {
  readonly code?: SourceErrorCode | undefined;
  readonly message: string;
}

export type Answer =
  | { readonly id: number; readonly value?: unknown }
  | { readonly id: number; readonly end: true }
  | { readonly id: number; readonly failure: Failure }
  | { readonly isAlive: true };
