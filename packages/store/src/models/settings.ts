/** Settings of workspaces and companies, API keys and tokens: kept whole, under their id. The packages that make and check them know their members. */
import { collection } from './collection.ts';
import { date, text } from './members.ts';

export const records = collection(() => ({ _id: text }), {}, { open: true });

export interface RecordDocument {
  _id: string;
  [name: string]: unknown;
}

/** Empty: writing it shows that MongoDB stores writes. */
export const probes = collection(() => ({ _id: text, at: date }));
