/** Attribute objects: rules beside their schema, and every code that they can get. */
import { nameFault } from '../formats/name.ts';
import { mapSame } from '../formats/present.ts';
import type { EntryFault, EntryKind, JsonObject, JudgeSettings } from '../operation.ts';
import { isJsonObject, type Json } from '../types.ts';
import { appNamed } from './app-names.ts';
import { attributeEntry } from './attribute-schema.ts';
import { customValueFault } from './custom-values.ts';
import { fault, faultAt, within } from './fault.ts';
import { fieldRules } from './fields.ts';
import {
  hasGoodEmail,
  hasGoodIdentifier,
  hasGoodPhone,
  identifierErrors,
  isIdentified,
  tidyIdentifiers,
} from './identifiers.ts';

/** An import of push tokens needs no identifier: the tokens lead to their owners. With an alias, email or phone it is about that person. */
function namesPerson(entry: JsonObject): EntryFault | undefined {
  return entry.push_token_import === true ? importFault(entry) : isIdentified(entry);
}

function importFault({ external_id, service_id, push_tokens }: JsonObject): EntryFault | undefined {
  const isNamed = external_id != null || service_id != null;
  const isEmpty = push_tokens == null || (Array.isArray(push_tokens) && push_tokens.length === 0);
  return isNamed || isEmpty ? fault('BAD_PUSH_TOKEN_IMPORT') : undefined;
}

/** The location has two names: `null` under one of them takes nothing away from the other. */
function tidyLocation(entry: JsonObject): JsonObject {
  const { current_location, last_coordinates } = entry;
  if (current_location === undefined || last_coordinates === undefined) return entry;
  const unused = last_coordinates === null ? 'last_coordinates' : 'current_location';
  if (entry[unused] !== null) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== unused));
}

/** As it is exported it says `id` and `state`. */
function tidyGroup(group: Json): Json {
  if (!isJsonObject(group) || !('id' in group || 'state' in group)) return group;
  const { id, state, since: _since, ...rest } = group as { [name: string]: Json };
  return {
    ...(id !== undefined && { subscription_group_id: id }),
    ...(state !== undefined && { subscription_state: state }),
    ...rest,
  };
}

function tidyGroups(entry: JsonObject): JsonObject {
  return withItems(entry, 'subscription_groups', tidyGroup);
}

function withItems(entry: JsonObject, list: string, tidyItem: (item: Json) => Json): JsonObject {
  const { [list]: items } = entry;
  if (!Array.isArray(items)) return entry;
  const tidied = mapSame(items, tidyItem);
  if (tidied === items) return entry;
  // From entries, not by assignment: `__proto__` is only a name here.
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, name === list ? tidied : value]),
  );
}

/** The hosted interface exports the name of the app. */
function tidyTokens(entry: JsonObject, settings: JudgeSettings): JsonObject {
  return withItems(entry, 'push_tokens', (token) => {
    if (!isJsonObject(token) || typeof token.app !== 'string' || token.app_id !== undefined) return token;
    const id = settings.apps.has(token.app) ? undefined : appNamed(token.app, token.platform, settings);
    return id === undefined ? token : { ...(token as { [name: string]: Json }), app: id };
  });
}

function hasOneLocation({ current_location, last_coordinates }: JsonObject): EntryFault | undefined {
  return current_location !== undefined && last_coordinates !== undefined
    ? faultAt('BAD_LOCATION_UPDATE', '', "must not hold both 'current_location' and 'last_coordinates'")
    : undefined;
}

function hasGoodMembers(entry: JsonObject, settings: JudgeSettings): EntryFault | undefined {
  for (const name in entry) {
    const found = memberFault(name, entry[name], settings);
    if (found) return found;
  }
  return undefined;
}

function memberFault(name: string, value: Json | undefined, settings: JudgeSettings): EntryFault | undefined {
  const rule = fieldRules.get(name);
  if (!rule) return customNameFault(name) ?? within(`.${name}`, customValueFault(value));
  return value == null ? undefined : within(`.${name}`, rule(value, settings));
}

function customNameFault(name: string): EntryFault | undefined {
  const cause = nameFault(name);
  if (cause) return faultAt('ATTRIBUTE_NAME_INVALID', '', `has an attribute name that ${cause}`);
  return name === 'email_subscription_info' ? fault('INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO') : undefined;
}

export const attributes: EntryKind = {
  array: 'attributes',
  counter: 'attributes_processed',
  schema: attributeEntry,
  before: [namesPerson],
  tidy: (entry, settings) => tidyTokens(tidyGroups(tidyLocation(tidyIdentifiers(entry))), settings),
  rules: [hasGoodIdentifier, hasGoodEmail, hasGoodPhone, hasOneLocation, hasGoodMembers],
  errors: [
    ...identifierErrors,
    'BAD_EMAIL_SUBSCRIPTION_STATE',
    'BAD_PUSH_SUBSCRIPTION_STATE',
    'INVALID_ATTRIBUTE_EMAIL_SUBSCRIPTION_INFO',
    'BAD_LOCATION_UPDATE',
    'BAD_PUSH_TOKEN_VALUE',
    'BAD_PUSH_TOKEN_STRING',
    'BAD_PUSH_TOKEN_APP_ID',
    'BAD_PUSH_TOKEN_IMPORT',
    'BAD_DEVICE_ID',
    'BAD_SUBSCRIPTION_GROUP_ARRAY',
    'BAD_SUBSCRIPTION_GROUP_HASH',
    'BAD_SUBSCRIPTION_GROUP_ID',
    'BAD_SUBSCRIPTION_GROUP_STATE',
    'ATTRIBUTE_NAME_INVALID',
    'ATTRIBUTE_VALUE_INVALID',
    'ATTRIBUTE_ARRAY_INVALID',
    'ATTRIBUTE_OPERATION_INVALID',
    'ATTRIBUTE_TOO_LARGE',
    'NESTED_NAME_INVALID',
  ],
};
