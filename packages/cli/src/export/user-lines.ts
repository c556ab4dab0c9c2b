/** A person as lines that `roster import` takes as they are, none of them larger than a request may be. Pure. */
import { stringifyExact } from '@roster/contract';
import { type ExportedField, exportedFields, type Seen } from '@roster/profile';
import { entriesOfExportedUser } from '../import/exported-user.ts';
import { mostLength } from '../import/spread.ts';
import type { JsonObject } from '../json.ts';

/** Their occurrences follow one by one. */
const summedUp: ReadonlySet<string> = new Set(['custom_events', 'purchases', 'total_revenue']);

/** The others. */
export const shownFields = Object.entries<ExportedField>(exportedFields).filter(
  ([name]) => !summedUp.has(name),
);

/** As many as fit, line after line. */
const packed = (entries: readonly string[]): string[][] => {
  const lines: string[][] = [];
  let room = 0;
  for (const entry of entries) {
    if (entry.length > room) {
      lines.push([]);
      room = mostLength;
    }
    lines.at(-1)?.push(entry);
    room -= entry.length;
  }
  return lines;
};

/** One line, or several for a person with very much data. The import ignores `about`: it is for the caller of this function. */
export const userLines = (seen: Seen, formerIds: readonly string[] = []): string[] => {
  const shown = Object.fromEntries(shownFields.map(([name, { shows }]) => [name, shows(seen)])) as JsonObject;
  const { entries, names } = entriesOfExportedUser({ ...shown, former_external_ids: [...formerIds] });
  const { service_id, created_at } = shown;
  const head = stringifyExact({
    about: { service_id, created_at },
    ...(names.length > 0 && { names: names.map(({ value }) => value) }),
  });
  return packed(entries.map((entry) => stringifyExact(entry))).map(
    (some, n) => `{${n === 0 ? `${head.slice(1, -1)},` : ''}"attributes":[${some.join(',')}]}\n`,
  );
};
