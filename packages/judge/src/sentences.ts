/** What ajv found, as a sentence that names the place. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/** What is wrong with a value, or nothing. */
export const errorIn = (isShaped: ValidateFunction, value: unknown): ErrorObject | undefined =>
  isShaped(value) ? undefined : isShaped.errors?.at(-1);

const LONGEST_PLACE = 200;

const typeWords: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** `/events/3/name` as `events[3].name`. */
function placeOf(pointer: string): string {
  const place = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
  return place.length > LONGEST_PLACE ? `${place.slice(0, LONGEST_PLACE)}...` : place;
}

/** `place` is where the judged value stands, `''` for the body itself. */
export function sentenceOf(error: ErrorObject, place: string): string {
  const full = `${place}${placeOf(error.instancePath)}`.replace(/^\./, '');
  // Of an entry its array and index are told beside it.
  if (error.keyword === 'required')
    return `'${place || !full ? '' : `${full}.`}${error.params.missingProperty}' is required`;
  return `${full === '' ? 'the body' : full} ${demandOf(error)}`;
}

function demandOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${alternatives(params.type)}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must not be longer than ${params.limit} characters`;
    case 'x-max-bytes':
      return `must not be longer than ${params.limit} bytes`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'minItems':
      return `must hold at least ${params.limit} elements`;
    case 'maxItems':
      return `must not hold more than ${params.limit} elements`;
    case 'additionalProperties':
      return `must not hold '${params.additionalProperty}'`;
    case 'maxProperties':
      return `must not hold more than ${params.limit} properties`;
    case 'enum':
      return `must be one of ${params.allowedValues.map((value: unknown) => (value === null ? 'null' : `'${value}'`)).join(', ')}`;
    default:
      return message ?? 'does not have the documented shape';
  }
}

function alternatives(type: string | string[]): string {
  const words = [type].flat().map((name) => typeWords[name] ?? name);
  const last = words.pop() ?? '';
  return words.length > 0 ? `${words.join(', ')} or ${last}` : last;
}
