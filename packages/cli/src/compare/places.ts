/** Where two answers differ, in names of members: values are data of people, and are not told. Pure. */
import { isRecord } from '../json.ts';

export interface Told {
  status: number;
  body: unknown;
}

const mostPlaces = 20;
const mostDepth = 20;
const mostName = 60;

/** A name comes from the other side: nothing in it may steer a terminal. */
const shown = (name: string): string => name.slice(0, mostName).replace(/[^\x20-\x7e\u00a1-\uffff]/g, '?');

/** Members that only Roster has are no difference. */
function* placesIn(theirs: unknown, ours: unknown, place: string, depth: number): Generator<string> {
  if (depth > mostDepth) return;
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    if (theirs.length !== ours.length) yield `${place}[] (how many)`;
    else
      for (const [index, item] of theirs.entries())
        yield* placesIn(item, ours[index], `${place}[]`, depth + 1);
  } else if (isRecord(theirs) && isRecord(ours)) {
    for (const name of Object.keys(theirs)) {
      const inner = place === '' ? shown(name) : `${place}.${shown(name)}`;
      if (Object.hasOwn(ours, name)) yield* placesIn(theirs[name], ours[name], inner, depth + 1);
      else yield `${inner} (missing)`;
    }
  } else if (theirs !== ours) yield place === '' ? '(the body)' : place;
}

const isIgnored = (place: string, ignored: ReadonlySet<string>): boolean =>
  place
    .replace(/ \(.*\)$/, '')
    .split(/\[\]|\./)
    .some((name) => ignored.has(name));

/** Each place once, and not those under ignored names. */
export const placesOf = (theirs: Told, ours: Told, ignored: ReadonlySet<string>): string[] => {
  if (theirs.status !== ours.status) return [`status ${theirs.status}, here ${ours.status}`];
  const places = new Set<string>();
  for (const place of placesIn(theirs.body, ours.body, '', 0)) {
    if (places.size === mostPlaces) break;
    if (!isIgnored(place, ignored)) places.add(place);
  }
  return [...places];
};
