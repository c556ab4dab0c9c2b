import { isJsonObject, type Json } from '../types.ts';
import { stringifyExact } from './exact-json.ts';

const MOST_BYTES_OF_A_UNIT = 6;
const MOST_BYTES_OF_A_NUMBER = 25;

/** Limits on JSON are bytes, not characters. Most values are so small that counting roughly is enough. */
export function isLargerJson(value: Json, limit: number): boolean {
  if (roughBytes(value) <= limit) return false;
  const json = stringifyExact(value);
  return json.length > limit || Buffer.byteLength(json) > limit;
}

/** Never less than the exact number. */
function roughBytes(value: Json | undefined): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value !== 'object' || value === null) return MOST_BYTES_OF_A_NUMBER;
  let bytes = 2;
  if (Array.isArray(value)) for (const element of value) bytes += roughBytes(element) + 1;
  else if (isJsonObject(value))
    for (const name in value) bytes += textBytes(name) + roughBytes(value[name]) + 2;
  return bytes;
}

function textBytes(text: string): number {
  return text.length * MOST_BYTES_OF_A_UNIT + 2;
}
