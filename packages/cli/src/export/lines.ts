/** People, events and purchases as lines that `roster import` takes as they are, none of them larger than a request may be. Pure. */
import { stringifyExact } from '@roster/contract';
import { type ExportedField, exportedFields, type Profile, type Seen } from '@roster/profile';
import type { EventRow, PurchaseRow } from '@roster/store';
import { entriesOfExportedUser } from '../import/exported-user.ts';
import { mostLength } from '../import/spread.ts';
import type { JsonObject } from '../json.ts';

/** The identifier in the lines of a person. */
export type Name =
  | { external_id: string }
  | { user_alias: { alias_name: string; alias_label: string } }
  | { email: string }
  | { phone: string };

const textOf = (profile: Profile, name: 'email' | 'phone'): string | undefined => {
  const value = profile.fields[name]?.v;
  return typeof value === 'string' ? value : undefined;
};

/** The same choice as in the import; `undefined` for people with push tokens only, or without any identifier. */
export const nameOf = (profile: Profile): Name | undefined => {
  const { external_id, aliases: [alias] = [] } = profile;
  if (external_id !== undefined) return { external_id };
  if (alias) return { user_alias: { alias_name: alias.name, alias_label: alias.label } };
  const [email, phone] = [textOf(profile, 'email'), textOf(profile, 'phone')];
  if (email !== undefined) return { email };
  return phone === undefined ? undefined : { phone };
};

const line = (members: readonly [name: string, json: string][]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}\n`;

const type = (name: string): [string, string] => ['type', JSON.stringify(name)];

const membersOf = (values: object): [string, string][] =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, stringifyExact(value)]);

interface Occurrence {
  time: Date;
  app_id?: string | undefined;
  properties?: string | undefined;
}

/** Properties are stored as JSON text, and are written as they are. */
const rest = ({ time, app_id, properties }: Occurrence): [string, string][] => [
  ...membersOf({ time: time.toISOString(), app_id }),
  ...(properties === undefined ? [] : [['properties', properties] as [string, string]]),
];

export const eventLine = (row: EventRow, name: Name): string =>
  line([type('event'), ...membersOf({ ...name, name: row.name }), ...rest(row)]);

export const purchaseLine = (row: PurchaseRow, name: Name): string => {
  const { product_id, currency, price, quantity } = row;
  return line([
    type('purchase'),
    ...membersOf({ ...name, product_id, currency, price, quantity }),
    ...rest(row),
  ]);
};

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
