/** Where two answers differ, in names of members: values are data of people, and are not told. Pure. */
import { isRecord } from '../json.ts';

export interface Told {
  status: number;
  body: unknown;
}

const mostPlaces = 20;
const mostDepth = 20;

/** What Roster says more is no difference: its answers have members that others lack. */
const placesIn = (theirs: unknown, ours: unknown, place: string, depth: number): string[] => {
  if (depth > mostDepth) return [];
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    if (theirs.length !== ours.length) return [`${place}[] (how many)`];
    return theirs.flatMap((item, index) => placesIn(item, ours[index], `${place}[]`, depth + 1));
  }
  if (isRecord(theirs) && isRecord(ours))
    return Object.keys(theirs).flatMap((name) => {
      const inner = place === '' ? name : `${place}.${name}`;
      if (!Object.hasOwn(ours, name)) return [`${inner} (missing)`];
      return placesIn(theirs[name], ours[name], inner, depth + 1);
    });
  return JSON.stringify(theirs) === JSON.stringify(ours) ? [] : [place === '' ? '(the body)' : place];
};

const isIgnored = (place: string, ignored: ReadonlySet<string>): boolean => {
  const names = place.replace(/ \(.*\)$/, '').split(/\[\]|\./);
  return names.some((name) => ignored.has(name));
};

/** Each place once, and not those under ignored names. */
export const placesOf = (theirs: Told, ours: Told, ignored: ReadonlySet<string>): string[] => {
  if (theirs.status !== ours.status) return [`status ${theirs.status}, here ${ours.status}`];
  const all = new Set(placesIn(theirs.body, ours.body, '', 0));
  return [...all].filter((place) => !isIgnored(place, ignored)).slice(0, mostPlaces);
};
