/** Properties of events and purchases. */

import { isLargerJson } from '../formats/json-size.ts';
import { nameFault } from '../formats/name.ts';
import { isCleanText, isLongerThan, unclean } from '../formats/text.ts';
import type { EntryFault, JsonObject } from '../operation.ts';
import { plain, shape } from '../shape.ts';
import { isJsonObject, type Json } from '../types.ts';
import { faultAt, firstWithin, within } from './fault.ts';

const MOST = 256;
const LONGEST_TEXT = 255;
const LARGEST = 100 * 1024;
const place = '.properties';

export const properties = shape(
  'Properties',
  plain<{ [name: string]: Json } | null>({
    type: ['object', 'null'],
    maxProperties: MOST,
    additionalProperties: true,
    description:
      'At most 256 properties. Names: 1 to 255 characters, no leading `$`, no NUL; `time` and `event_name` are reserved. Values: ' +
      'numbers, booleans, strings of at most 255 characters (date-times among them), null, arrays and objects; with arrays or objects at ' +
      'most 100 KB of JSON. Kept with the event, never on the profile.',
    'x-errors': { maxProperties: 'TOO_MANY_PROPERTIES' },
  }),
);

export function hasGoodProperties({ properties }: JsonObject): EntryFault | undefined {
  if (!isJsonObject(properties)) return undefined;
  let isNested = false;
  for (const name in properties) {
    const value = properties[name];
    const found = propertyNameFault(name) ?? propertyValueFault(name, value);
    if (found) return found;
    isNested ||= typeof value === 'object' && value !== null;
  }
  return isNested ? sizeFault(properties) : undefined;
}

function propertyNameFault(name: string): EntryFault | undefined {
  if (name === 'time' || name === 'event_name')
    return faultAt('PROPERTY_NAME_RESERVED', place, `must not hold the reserved name '${name}'`);
  const cause = nameFault(name);
  return cause ? faultAt('PROPERTY_NAME_INVALID', place, `has a name that ${cause}`) : undefined;
}

function propertyValueFault(name: string, value: Json | undefined): EntryFault | undefined {
  const isLong = typeof value === 'string' && isLongerThan(value, LONGEST_TEXT);
  return isLong
    ? faultAt(
        'PROPERTY_VALUE_INVALID',
        `${place}.${name}`,
        `must not be longer than ${LONGEST_TEXT} characters`,
      )
    : within(`${place}.${name}`, plainFault(value));
}

/** The limit is bytes of JSON, not characters. */
function sizeFault(value: JsonObject): EntryFault | undefined {
  return isLargerJson(value as Json, LARGEST)
    ? faultAt('PROPERTIES_TOO_LARGE', place, 'must not be larger than 100 KB when it holds arrays or objects')
    : undefined;
}

/** At any depth, which is bounded where the body is read. */
function plainFault(value: Json | undefined): EntryFault | undefined {
  if (typeof value === 'string')
    return value.isWellFormed() ? undefined : faultAt('TEXT_NOT_WELL_FORMED', '', 'must be well-formed text');
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? undefined
      : faultAt('PROPERTY_VALUE_INVALID', '', 'must be a finite number');
  if (Array.isArray(value)) return firstWithin(value, plainFault);
  return isJsonObject(value) ? membersFault(value) : undefined;
}

function membersFault(value: JsonObject): EntryFault | undefined {
  for (const name in value) {
    const found = isCleanText(name)
      ? within(`.${name}`, plainFault(value[name]))
      : faultAt('PROPERTY_NAME_INVALID', '', `has a name that ${unclean}`);
    if (found) return found;
  }
  return undefined;
}
