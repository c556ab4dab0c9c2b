/** Why a line is no JSON, or would not be sent as it stands. */
import { placeOfJsonFault } from '@roster/contract';
import { entryFault } from './member-faults.ts';
import { type Reading, unreadable } from './row.ts';

const hints: readonly [start: RegExp, hint: string][] = [
  [
    /^-?(NaN|Infinity)/,
    "JSON has no such number, though Python's json.dumps writes it: leave the member out",
  ],
  [/^,\s*$/, "behind an object there is no comma; of a list, jq -c '.[]' people.json makes lines"],
  [/^'/, 'JSON has double quotes'],
  [/^(None|True|False|undefined)\b/, 'JSON has null, true and false'],
];

export const notJson = (text: string): Reading => {
  const place = placeOfJsonFault(text);
  if (place === undefined) return unreadable('LINE_NOT_JSON', 'the line is not valid JSON');
  if (place === text.length)
    return unreadable(
      'LINE_NOT_JSON',
      `the line is not valid JSON: it ends too early, at column ${place + 1}`,
    );
  const hint = hints.find(([start]) => start.test(text.slice(place)));
  const sentence = `the line is not valid JSON: it is wrong at column ${place + 1}${hint ? ` (${hint[1]})` : ''}`;
  return unreadable('LINE_NOT_JSON', sentence);
};

/** Whether a number is beyond a double: it would be sent as null, which removes an attribute. Lines may be deep. */
export const holdsInfinite = (value: unknown): boolean => {
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'number' && !Number.isFinite(one)) return true;
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) open.push(inner);
  }
  return false;
};

/** Refused as the server refuses it. */
export const withoutInfinite = (found: Reading): Reading => {
  const entry = found.entries.find(({ value }) => holdsInfinite(value));
  if (!entry && !found.names?.some(({ value }) => holdsInfinite(value))) return found;
  const { code, sentence } = (entry && entryFault(entry)) ?? {
    code: 'NUMBER_INVALID',
    sentence: 'the line cannot be sent',
  };
  return unreadable(code, `${sentence}: a number there is beyond what a double holds`);
};
