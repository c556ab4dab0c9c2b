/** Properties of events and purchases. */

import { isLargerJson } from '../formats/json-size.ts';
import { nameFault } from '../formats/name.ts';
import { isCleanText, isLongerThan, unclean } from '../formats/text.ts';
import type { EntryFault, JsonObject } from '../operation.ts';
import { plain, shape } from '../shape.ts';
import { isJsonObject, type Json } from '../types.ts';
import { faultAt, firstWithin, membersRule, nameRule, wellFormedFault, within } from './fault.ts';

const MOST = 256;
const LONGEST_TEXT = 255;
const LARGEST = 100 * 1024;

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
  return within('.properties', propertiesFault(properties) ?? sizeFault(properties));
}

const propertiesFault = membersRule(propertyNameFault, propertyValueFault);
const propertyNameInvalid = nameRule('PROPERTY_NAME_INVALID', 'a name', nameFault);

function propertyNameFault(name: string): EntryFault | undefined {
  return name === 'time' || name === 'event_name'
    ? faultAt('PROPERTY_NAME_RESERVED', '', `must not hold the reserved name '${name}'`)
    : propertyNameInvalid(name);
}

function propertyValueFault(value: Json | undefined): EntryFault | undefined {
  return typeof value === 'string' && isLongerThan(value, LONGEST_TEXT)
    ? faultAt('PROPERTY_VALUE_INVALID', '', `must not be longer than ${LONGEST_TEXT} characters`)
    : plainFault(value);
}

/** The limit is bytes of JSON, not characters. */
function sizeFault(value: JsonObject): EntryFault | undefined {
  const isNested = Object.values(value).some((inner) => typeof inner === 'object' && inner !== null);
  return isNested && isLargerJson(value as Json, LARGEST)
    ? faultAt('PROPERTIES_TOO_LARGE', '', 'must not be larger than 100 KB when it holds arrays or objects')
    : undefined;
}

/** At any depth, which is bounded where the body is read. */
function plainFault(value: Json | undefined): EntryFault | undefined {
  if (typeof value === 'string') return wellFormedFault(value);
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? undefined
      : faultAt('PROPERTY_VALUE_INVALID', '', 'must be a finite number');
  if (Array.isArray(value)) return firstWithin(value, plainFault);
  return isJsonObject(value) ? membersFault(value) : undefined;
}

const membersFault = membersRule(
  nameRule('PROPERTY_NAME_INVALID', 'a name', (name) => (isCleanText(name) ? undefined : unclean)),
  plainFault,
);
