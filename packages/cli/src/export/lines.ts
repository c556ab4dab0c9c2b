/** A person and what they did as lines that `roster import` takes. Pure. */
import { type ExportedField, exportedFields, type Profile, type Seen } from '@roster/profile';
import type { EventDocument, PurchaseDocument } from '@roster/store';

/** How the lines of a person say whom they mean. */
export type Name =
  | { external_id: string }
  | { user_alias: { alias_name: string; alias_label: string } }
  | { email: string }
  | { phone: string };

const textOf = (profile: Profile, name: 'email' | 'phone'): string | undefined => {
  const value = profile.fields[name]?.v;
  return typeof value === 'string' ? value : undefined;
};

/** The same choice as that of the import; nothing for those who have push tokens only, or nothing at all. */
export const nameOf = (profile: Profile): Name | undefined => {
  const { external_id, aliases: [alias] = [] } = profile;
  if (external_id !== undefined) return { external_id };
  if (alias) return { user_alias: { alias_name: alias.name, alias_label: alias.label } };
  const [email, phone] = [textOf(profile, 'email'), textOf(profile, 'phone')];
  if (email !== undefined) return { email };
  return phone === undefined ? undefined : { phone };
};

/** What follows as occurrences, each by itself. */
const summedUp: ReadonlySet<string> = new Set(['custom_events', 'purchases', 'total_revenue']);

const shownFields: readonly [string, ExportedField][] = Object.entries<ExportedField>(exportedFields).filter(
  ([name]) => !summedUp.has(name),
);

const line = (members: readonly [name: string, json: string][]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}\n`;

const type = (name: string): [string, string] => ['type', JSON.stringify(name)];

const membersOf = (values: object): [string, string][] =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, JSON.stringify(value)]);

/** Of JSON text: a fraction of what a request may hold. */
const mostInLine = 1024 * 1024;

/** Attributes in portions, as JSON texts of objects. */
const portionsOf = (attributes: object): string[] => {
  const portions: string[][] = [[]];
  let room = mostInLine;
  for (const [name, json] of membersOf(attributes)) {
    const member = `${JSON.stringify(name)}:${json}`;
    room -= Buffer.byteLength(member);
    if (room < 0) {
      portions.push([]);
      room = mostInLine - Buffer.byteLength(member);
    }
    portions.at(-1)?.push(member);
  }
  return portions.map((members) => `{${members.join(',')}}`);
};

const aliasesOf = (name: Name | undefined): [string, string][] => {
  if (!name || !('user_alias' in name)) return membersOf(name ?? {});
  return [['user_aliases', JSON.stringify([name.user_alias])]];
};

/** What no exported user shows: so that links and systems that still have an old id lead to the person elsewhere too. */
const formerOf = (formerIds: readonly string[]): [string, string][] =>
  formerIds.length === 0 ? [] : [['former_external_ids', JSON.stringify(formerIds)]];

/** One line; of somebody with very many attributes several, the further ones with nothing but more of them. */
export const userLines = (
  seen: Seen,
  name: Name | undefined,
  formerIds: readonly string[] = [],
): string[] => {
  const shown = shownFields.map(([field, { shows }]): [string, unknown] => [field, shows(seen)]);
  const { custom_attributes = {}, ...user } = Object.fromEntries(shown);
  const [first = '{}', ...more] = portionsOf(custom_attributes as object);
  return [
    line([type('user'), ...membersOf(user), ...formerOf(formerIds), ['custom_attributes', first]]),
    ...more.map((portion) => line([type('user'), ...aliasesOf(name), ['custom_attributes', portion]])),
  ];
};

interface Occurrence {
  time: Date;
  app_id?: string | undefined;
  properties?: string | undefined;
}

/** Properties are stored as JSON text, and go out as they are. */
const rest = ({ time, app_id, properties }: Occurrence): [string, string][] => [
  ...membersOf({ time: time.toISOString(), app_id }),
  ...(properties === undefined ? [] : [['properties', properties] as [string, string]]),
];

export const eventLine = (row: EventDocument, name: Name): string =>
  line([type('event'), ...membersOf({ ...name, name: row.name }), ...rest(row)]);

export const purchaseLine = (row: PurchaseDocument, name: Name): string => {
  const { product_id, currency, price, quantity } = row;
  return line([
    type('purchase'),
    ...membersOf({ ...name, product_id, currency, price, quantity }),
    ...rest(row),
  ]);
};
