/** People, events and purchases as lines that `roster import` takes as they are, none of them larger than a request may be. Pure. */
import { stringifyExact } from '@roster/contract';
import { type ExportedField, exportedFields, type Profile, type Seen } from '@roster/profile';
import type { EventRow, PurchaseRow } from '@roster/store';
import { entriesOfExportedUser, identifierOf } from '../import/exported-user.ts';
import { mostLength } from '../import/spread.ts';
import type { JsonObject } from '../json.ts';

/** Their occurrences follow one by one. */
const summedUp: ReadonlySet<string> = new Set(['custom_events', 'purchases', 'total_revenue']);

const fields = Object.entries<ExportedField>(exportedFields).filter(([name]) => !summedUp.has(name));

/** The fields of a person, save those that sum up. */
export const shownOf = (seen: Seen, some = fields): JsonObject =>
  Object.fromEntries(some.map(([name, { shows }]) => [name, shows(seen)])) as JsonObject;

const identifying = fields.filter(([name]) => /^(external_id|user_aliases|email|phone)$/.test(name));

/** The identifier in the lines of a person; `undefined` for people with push tokens only, or without any identifier. */
export const nameOf = (profile: Profile): JsonObject | undefined =>
  identifierOf(shownOf({ profile }, identifying));

interface Occurrence {
  time: Date;
  app_id?: string | undefined;
  properties?: string | undefined;
}

/** Properties are stored as JSON text, and are written as they are. */
const line = (members: object, { time, app_id, properties }: Occurrence): string => {
  const text = stringifyExact({ ...members, time: time.toISOString(), app_id });
  return properties === undefined ? `${text}\n` : `${text.slice(0, -1)},"properties":${properties}}\n`;
};

export const eventLine = (row: EventRow, name: JsonObject): string =>
  line({ type: 'event', ...name, name: row.name }, row);

export const purchaseLine = (row: PurchaseRow, name: JsonObject): string => {
  const { product_id, currency, price, quantity } = row;
  return line({ type: 'purchase', ...name, product_id, currency, price, quantity }, row);
};

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
  const shown = shownOf(seen);
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
