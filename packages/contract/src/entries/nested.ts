/** What stands inside a nested attribute or an array of objects. Depth is bounded where the body is read. */
import { isLargerJson } from '../formats/json-size.ts';
import { isCleanText, isLongerThan, unclean } from '../formats/text.ts';
import { isTimeOutOfRange, parseTime } from '../formats/time.ts';
import type { EntryFault, JsonObject } from '../operation.ts';
import { isJsonObject, type Json } from '../types.ts';
import { faultAt, firstWithin, membersRule, nameRule, wellFormedFault } from './fault.ts';

const LONGEST = 255;
const LARGEST = 100 * 1024;

export function sizeFault(value: Json): EntryFault | undefined {
  return isLargerJson(value, LARGEST)
    ? faultAt('ATTRIBUTE_TOO_LARGE', '', 'must not be larger than 100 KB')
    : undefined;
}

/** A text, number or boolean. */
export function scalarFault(value: Json | undefined): EntryFault | undefined {
  switch (typeof value) {
    case 'string':
      return textFault(value);
    case 'number':
      return Number.isFinite(value) ? undefined : invalid('must be a finite number');
    case 'boolean':
    case 'bigint':
      return undefined;
    default:
      return invalid('must be a string, a number or a boolean');
  }
}

function textFault(text: string): EntryFault | undefined {
  if (isLongerThan(text, LONGEST)) return invalid(`must not be longer than ${LONGEST} characters`);
  return wellFormedFault(text);
}

function invalid(text: string): EntryFault {
  return faultAt('ATTRIBUTE_VALUE_INVALID', '', text);
}

/** Names of members: stricter than those of attributes. */
export function memberNameFault(name: string): string | undefined {
  if (name.length === 0) return 'must not be empty';
  if (/[ .$]/.test(name)) return 'must not hold spaces, dots or $';
  if (isLongerThan(name, LONGEST)) return `must not be longer than ${LONGEST} characters`;
  return isCleanText(name) ? undefined : unclean;
}

export function nestedFault(value: Json | undefined): EntryFault | undefined {
  if (value === null) return invalid('must not be null: null removes whole attributes only');
  if (Array.isArray(value)) return firstWithin(value, nestedFault);
  if (!isJsonObject(value)) return scalarFault(value);
  return Object.hasOwn(value, '$time') ? timeFault(value) : membersFault(value);
}

/** An object that is not a time. */
export const membersFault = membersRule(
  nameRule('NESTED_NAME_INVALID', 'a member name', memberNameFault),
  nestedFault,
);

/** A time with a year out of range passes here; the worker leaves it out, with a note. */
function timeFault(value: JsonObject): EntryFault | undefined {
  const { $time } = value;
  const isTime = typeof $time === 'string' && (parseTime($time) !== undefined || isTimeOutOfRange($time));
  if (!isTime) return faultAt('TIME_INVALID', '.$time', 'must be a time such as 2026-01-31T12:00:00Z');
  return Object.keys(value).length === 1
    ? undefined
    : faultAt('TIME_INVALID', '', "must hold nothing beside '$time'");
}
