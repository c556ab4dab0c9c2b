/** Rules of the fields of a profile that JSON Schema can't say, by the name of the field. */
import { nameFault } from '../formats/name.ts';
import { isLongerThanBytes } from '../formats/text.ts';
import { isDate, parseTime } from '../formats/time.ts';
import type { EntryFault, JsonObject, JudgeSettings } from '../operation.ts';
import { isJsonObject, type Json } from '../types.ts';
import { attributeEntry } from './attribute-schema.ts';
import { fault, faultAt, firstWithin, membersRule, nameRule, wellFormedFault, within } from './fault.ts';

/** The value is of the type that the schema allows, and not null. */
export type FieldRule = (value: Json, settings: JudgeSettings) => EntryFault | undefined;

const SHORTEST_DEVICE_ID = 8;
const LONGEST_DEVICE_ID = 254;

function cleanFault(value: Json | undefined): EntryFault | undefined {
  if (typeof value === 'string') return wellFormedFault(value);
  if (Array.isArray(value)) return firstWithin(value, cleanFault);
  return isJsonObject(value) ? cleanMembersFault(value) : undefined;
}

const cleanMembersFault = membersRule(nameRule('FIELD_INVALID', 'a member name', nameFault), cleanFault);

function timeFault(value: Json | undefined): EntryFault | undefined {
  return typeof value === 'string' && parseTime(value) === undefined
    ? faultAt('TIME_INVALID', '', 'must be a time such as 2026-01-31T12:00:00Z')
    : undefined;
}

function dateFault(value: Json): EntryFault | undefined {
  return isDate(String(value)) ? undefined : faultAt('TIME_INVALID', '', 'must be a date such as 1984-02-29');
}

/** A list of items that hold times in these members. */
function listWithTimes(...members: string[]): FieldRule {
  const itemFault = (item: Json) => (isJsonObject(item) ? timesFault(item, members) : undefined);
  return (value) => cleanFault(value) ?? (Array.isArray(value) ? firstWithin(value, itemFault) : undefined);
}

function timesFault(item: JsonObject, members: readonly string[]): EntryFault | undefined {
  for (const name of members) {
    const found = timeFault(item[name]);
    if (found) return within(`.${name}`, found);
  }
  const { steps_received: steps } = item;
  if (!Array.isArray(steps)) return undefined;
  const stepFault = (step: Json) => (isJsonObject(step) ? timesFault(step, ['last_received']) : undefined);
  return within('.steps_received', firstWithin(steps, stepFault));
}

function rangeFault(place: string, degrees: Json | undefined, most: number): EntryFault | undefined {
  return typeof degrees === 'bigint' || (typeof degrees === 'number' && Math.abs(degrees) > most)
    ? faultAt('BAD_LOCATION_UPDATE', place, `must be from -${most} to ${most}`)
    : undefined;
}

function locationFault(value: Json): EntryFault | undefined {
  const { longitude, latitude } = value as JsonObject;
  return rangeFault('.longitude', longitude, 180) ?? rangeFault('.latitude', latitude, 90);
}

function coordinatesFault(value: Json): EntryFault | undefined {
  const [longitude, latitude] = value as Json[];
  return rangeFault('[0]', longitude, 180) ?? rangeFault('[1]', latitude, 90);
}

function groupsFault(value: Json, { groups }: JudgeSettings): EntryFault | undefined {
  const isKnown = (item: JsonObject) => groups.has(String(item.subscription_group_id));
  return (value as JsonObject[]).every(isKnown) ? undefined : fault('BAD_SUBSCRIPTION_GROUP_ID');
}

function tokensFault(value: Json, settings: JudgeSettings): EntryFault | undefined {
  const tokenFault = (item: JsonObject) => appFault(item, settings) ?? deviceIdFault(item);
  return cleanFault(value) ?? firstWithin(value as JsonObject[], tokenFault);
}

function appFault({ app_id, app }: JsonObject, { apps }: JudgeSettings): EntryFault | undefined {
  const isOne = app_id === undefined || app === undefined || app_id === app;
  return isOne && apps.has(String(app_id ?? app)) ? undefined : fault('BAD_PUSH_TOKEN_APP_ID');
}

function deviceIdFault({ device_id }: JsonObject): EntryFault | undefined {
  if (typeof device_id !== 'string') return undefined;
  const isShort = Buffer.byteLength(device_id) < SHORTEST_DEVICE_ID;
  return isShort || isLongerThanBytes(device_id, LONGEST_DEVICE_ID) ? fault('BAD_DEVICE_ID') : undefined;
}

const judgedElsewhere: FieldRule = () => undefined;

const rules: Record<string, FieldRule> = {
  email: judgedElsewhere,
  external_id: judgedElsewhere,
  phone: judgedElsewhere,
  service_id: judgedElsewhere,
  user_alias: judgedElsewhere,
  apps: listWithTimes('first_used', 'last_used'),
  campaigns_received: listWithTimes('last_received'),
  canvases_received: listWithTimes(
    'last_received_message',
    'last_entered',
    'last_entered_control_at',
    'last_exited',
  ),
  current_location: locationFault,
  date_of_first_session: timeFault,
  date_of_last_session: timeFault,
  dob: dateFault,
  last_coordinates: coordinatesFault,
  marked_email_as_spam_at: timeFault,
  push_opted_in_at: timeFault,
  push_tokens: tokensFault,
  subscription_groups: groupsFault,
  uninstalled_at: timeFault,
};

/** Every field of the schema has one: a name that has none is a custom attribute. */
export const fieldRules: ReadonlyMap<string, FieldRule> = new Map(
  Object.keys(attributeEntry.properties).map((name) => [name, rules[name] ?? cleanFault]),
);
