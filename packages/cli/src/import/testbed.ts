import type { JsonObject } from '../json.ts';
import type { Answer } from './answer.ts';
import type { Batch, NameItem } from './batches.ts';
import type { ArrayName } from './row.ts';

/** For tests: a batch with these entries, one on each line. */
export const aBatch = (entries: readonly [ArrayName, JsonObject][], changes: Partial<Batch> = {}): Batch => ({
  index: 0,
  start: 0,
  end: 100,
  nextLine: entries.length + 1,
  part: 0,
  rows: entries.length,
  items: entries.map(([array, value], i) => ({ array, value, json: JSON.stringify(value), line: i + 1 })),
  names: [],
  refusals: [],
  leftOut: [],
  doubts: [],
  raws: [],
  ...changes,
});

/** The person had these external ids before. */
export const former = (line: number, external_id: string, ...ids: string[]): NameItem => ({
  kind: 'former',
  line,
  value: { external_id, former_external_ids: ids },
});

export const alias = (line: number, value: JsonObject): NameItem => ({ kind: 'alias', line, value });

export const named = (alias_name: string) => ({ alias_name, alias_label: 'crm' });

export const ok: Answer = { status: 201, message: 'success', errors: [] };
