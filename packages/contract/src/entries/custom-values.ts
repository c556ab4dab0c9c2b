/** Values of custom attributes, of every type. What an object means is told by its members. */
import type { EntryFault, JsonObject } from '../operation.ts';
import { isJsonObject, type Json } from '../types.ts';
import { faultAt, firstWithin, wellFormedFault, within } from './fault.ts';
import { memberNameFault, membersFault, nestedFault, scalarFault, sizeFault } from './nested.ts';

const MOST_ELEMENTS = 500;

const steps: ReadonlySet<string> = new Set(['inc', 'add', 'remove']);
const changes: ReadonlySet<string> = new Set(['$add', '$update', '$remove']);
const finder = ['$identifier_key', '$identifier_value'];
const update = [...finder, '$new_object'];

/** Type, length of texts and finite numbers are in the schema. */
export function customValueFault(value: Json | undefined): EntryFault | undefined {
  if (typeof value === 'string') return wellFormedFault(value);
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? arrayFault(value) : objectFault(value);
}

function arrayFault(value: Json[]): EntryFault | undefined {
  if (!value.some(isJsonObject)) return elementsFault(value);
  const isMixed = !value.every(isJsonObject);
  if (isMixed) return faultAt('ATTRIBUTE_ARRAY_INVALID', '', 'must not hold objects beside other values');
  return firstWithin(value, memberObjectFault) ?? sizeFault(value);
}

function elementsFault(value: Json[]): EntryFault | undefined {
  if (value.length > MOST_ELEMENTS)
    return faultAt('ATTRIBUTE_ARRAY_INVALID', '', `must not hold more than ${MOST_ELEMENTS} elements`);
  return firstWithin(value, elementFault);
}

function elementFault(value: Json): EntryFault | undefined {
  return value === null || Array.isArray(value)
    ? faultAt('ATTRIBUTE_ARRAY_INVALID', '', 'must be a string, a number, a boolean or an object')
    : scalarFault(value);
}

/** `inc`, or `add` and `remove`; the three for arrays of objects; everything else is a nested object or a time. */
function objectFault(value: JsonObject): EntryFault | undefined {
  const names = Object.keys(value);
  if (names.length > 0 && names.every((name) => steps.has(name))) return stepFault(value);
  const found =
    names.length > 0 && names.every((name) => changes.has(name))
      ? changeFault(value)
      : nestedFault(value as Json);
  return found ?? sizeFault(value as Json);
}

function operationFault(text: string): EntryFault {
  return faultAt('ATTRIBUTE_OPERATION_INVALID', '', text);
}

function stepFault({ inc, add, remove }: JsonObject): EntryFault | undefined {
  if (inc !== undefined && (add !== undefined || remove !== undefined))
    return operationFault("must not hold 'inc' beside 'add' or 'remove'");
  if (inc !== undefined && typeof inc !== 'bigint' && !Number.isSafeInteger(inc))
    return faultAt('ATTRIBUTE_VALUE_INVALID', '.inc', 'must be a whole number');
  return within('.add', partFault(add)) ?? within('.remove', partFault(remove));
}

function partFault(part: Json | undefined): EntryFault | undefined {
  if (part === undefined) return undefined;
  return Array.isArray(part) ? elementsFault(part) : operationFault('must be an array');
}

function changeFault({ $add, $remove, $update }: JsonObject): EntryFault | undefined {
  return (
    within('.$add', listFault($add, memberObjectFault)) ??
    within('.$remove', listFault($remove, removalFault)) ??
    within('.$update', listFault($update, updateFault))
  );
}

function listFault(part: Json | undefined, faultOf: (element: Json) => EntryFault | undefined) {
  if (part === undefined) return undefined;
  return Array.isArray(part) ? firstWithin(part, faultOf) : operationFault('must be an array of objects');
}

function memberObjectFault(value: Json): EntryFault | undefined {
  return isJsonObject(value) ? membersFault(value) : operationFault('must be an object');
}

function removalFault(value: Json): EntryFault | undefined {
  return hasExactly(value, finder)
    ? identifierFault(value)
    : operationFault(`must be an object of ${finder.join(' and ')}`);
}

function updateFault(value: Json): EntryFault | undefined {
  if (!hasExactly(value, update)) return operationFault(`must be an object of ${update.join(', ')}`);
  const { $new_object } = value;
  const inner = isJsonObject($new_object) ? membersFault($new_object) : operationFault('must be an object');
  return identifierFault(value) ?? within('.$new_object', inner);
}

function hasExactly(value: Json, names: readonly string[]): value is { [name: string]: Json } {
  if (!isJsonObject(value)) return false;
  return Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
}

function identifierFault({ $identifier_key, $identifier_value }: JsonObject): EntryFault | undefined {
  const cause = typeof $identifier_key === 'string' ? memberNameFault($identifier_key) : 'must be a string';
  if (cause) return within('.$identifier_key', operationFault(cause));
  return within('.$identifier_value', scalarFault($identifier_value));
}
