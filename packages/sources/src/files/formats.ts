import { parquet } from '../parquet/parquet.ts';
import type { FileSettings } from '../settings.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import type { Format } from './reading.ts';

export const formats = { ndjson, csv, parquet } satisfies Record<FileSettings['format'], Format>;
