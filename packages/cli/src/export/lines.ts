/** Events and purchases as lines that `roster import` takes, and the identifier of a line. Pure. */
import { stringifyExact } from '@roster/contract';
import type { Profile } from '@roster/profile';
import type { EventRow, PurchaseRow } from '@roster/store';

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
