/** Where two answers differ, in names of members: values are data of people, and are not told. Pure. */
import { isDate, parseTime } from '@roster/contract';
import { isRecord, type JsonObject } from '../json.ts';
import { inOrderOfLabels, isSet } from './items.ts';
import { isMadeAnew, isServiceId } from './made-anew.ts';
import { isSameSpelling, withUsual } from './spellings.ts';

export interface Told {
  status: number;
  /** `undefined`: it is empty. */
  body: unknown;
  /** By their names in lower case. */
  headers?: Readonly<Record<string, unknown>>;
}

export interface PlaceRules {
  /** Names that are not compared. */
  ignored: ReadonlySet<string>;
  /** Gets the name of each member that both services make for themselves. */
  leftOut?(name: string): void;
  /** Whether the name of an app there and the id of one here are of one app. */
  isSameApp?(theirs: string, ours: string): boolean;
}

/** In an answer: the path that is shown, the name of the list or object, and what it is a part of. */
interface Place {
  path: string;
  name: string;
  depth: number;
  isOfUser?: boolean | undefined;
  isCustom?: boolean | undefined;
}

const mostPlaces = 20;
const mostDepth = 50;
const mostName = 60;

/** Roster exports them of everybody, the hosted service does not. */
const onlyHere = 'subscription_groups';
const headersOfClients = [
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ...['retry-after', 'location', 'link', 'allow'],
];

/** A name comes from the other side: nothing in it may steer a terminal. */
const shown = (name: string): string => name.slice(0, mostName).replace(/[^\x20-\x7e\u00a1-\uffff]/g, '?');

const isSameMoment = (one: unknown, other: unknown): boolean => {
  if (typeof one !== 'string' || typeof other !== 'string' || isDate(one) !== isDate(other)) return false;
  const time = parseTime(one);
  return time !== undefined && time === parseTime(other);
};

/** A missing field of a person is read as null, false or empty; a custom attribute is not. */
const isNothing = (value: unknown, { isOfUser, isCustom }: Place): boolean => {
  if (value === null || value === undefined) return true;
  if (!isOfUser || isCustom) return false;
  return (
    value === false ||
    value === '' ||
    value === 0 ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
};

const within = (place: Place, name: string): Place => ({
  path: place.path === '' ? shown(name) : `${place.path}.${shown(name)}`,
  name,
  depth: place.depth + 1,
  isOfUser: place.isOfUser || place.name === 'users',
  isCustom: place.isCustom || (place.isOfUser && place.name === 'custom_attributes'),
});

const memberOf = (record: JsonObject, name: string, place: Place): unknown => {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return place.name === 'users' ? withUsual(name, value) : value;
};

/** Roster keeps the sentences of refusals and adds to some of them what is wrong and where. */
const saysMore = (theirs: unknown, ours: unknown, { path }: Place): boolean =>
  path === 'message' && [':', ' '].some((end) => String(ours).startsWith(`${theirs}${end}`));

const isSame = (theirs: unknown, ours: unknown, place: Place): boolean =>
  theirs === ours ||
  isSameMoment(theirs, ours) ||
  (place.isOfUser === true && !place.isCustom && isSameSpelling(place.name, theirs, ours)) ||
  saysMore(theirs, ours, place);

const isSameApp = (theirs: unknown, ours: unknown, parent: Place, rules: PlaceRules): boolean =>
  parent.name === 'push_tokens' &&
  typeof theirs === 'string' &&
  typeof ours === 'string' &&
  rules.isSameApp?.(theirs, ours) === true;

function* inMember(theirs: unknown, ours: unknown, place: Place, parent: Place, rules: PlaceRules) {
  if (place.name === 'app' && !place.isCustom && isSameApp(theirs, ours, parent, rules)) return;
  const [isTheirs, isOurs] = [!isNothing(theirs, place), !isNothing(ours, place)];
  const isAnew = !place.isCustom && isMadeAnew(place.name, parent.name);
  if (isAnew && (isTheirs || isOurs)) rules.leftOut?.(place.name);
  if (isAnew && (!isTheirs || typeof theirs === typeof ours || isServiceId(place.name, parent.name))) return;
  if ((isTheirs && isOurs) || (isRecord(theirs) && isRecord(ours)))
    yield* placesIn(theirs, ours, place, rules);
  else if (isTheirs) yield `${place.path} (missing)`;
  else if (isOurs && isTold(place, parent, theirs)) yield `${place.path} (only here)`;
}

/** Elsewhere, members that only Roster has are no difference: errors are one. */
const isTold = ({ name, isCustom }: Place, parent: Place, theirs: unknown): boolean =>
  isCustom || name === 'errors' || (parent.name === 'users' && (name !== onlyHere || theirs !== undefined));

function* inRecords(theirs: JsonObject, ours: JsonObject, place: Place, rules: PlaceRules) {
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)]))
    if (!rules.ignored.has(name))
      yield* inMember(
        memberOf(theirs, name, place),
        memberOf(ours, name, place),
        within(place, name),
        place,
        rules,
      );
}

function* inLists(theirs: unknown[], ours: unknown[], place: Place, rules: PlaceRules): Generator<string> {
  const path = `${place.path}[]`;
  if (theirs.length !== ours.length) {
    yield `${path} (how many)`;
    return;
  }
  const isAnyOrder = isSet(place.name) && !place.isCustom;
  const [one, other] = isAnyOrder ? [inOrderOfLabels(theirs), inOrderOfLabels(ours)] : [theirs, ours];
  for (const [index, item] of one.entries())
    yield* placesIn(item, other[index], { ...place, path, depth: place.depth + 1 }, rules);
}

function* placesIn(theirs: unknown, ours: unknown, place: Place, rules: PlaceRules): Generator<string> {
  if (place.depth > mostDepth) yield `${place.path} (deeper than ${mostDepth} levels)`;
  else if (Array.isArray(theirs) && Array.isArray(ours)) yield* inLists(theirs, ours, place, rules);
  else if (isRecord(theirs) && isRecord(ours)) yield* inRecords(theirs, ours, place, rules);
  else if (!isSame(theirs, ours, place)) yield place.path || '(the body)';
}

const mediaTypeOf = ({ headers = {}, body }: Told): string | undefined =>
  body === undefined
    ? undefined
    : String(headers['content-type'] ?? '')
        .replace(/;.*/s, '')
        .trim()
        .toLowerCase();

/** The values of limits are those of each service; a client relies on their presence. */
function* inHeaders(theirs: Told, ours: Told): Generator<string> {
  const [type, here] = [mediaTypeOf(theirs), mediaTypeOf(ours)];
  if (type && here !== undefined && type !== here) yield 'header content-type';
  for (const name of headersOfClients)
    if (theirs.headers?.[name] && !ours.headers?.[name]) yield `header ${name} (missing)`;
}

function* allPlaces(theirs: Told, ours: Told, rules: PlaceRules): Generator<string> {
  yield* [...inHeaders(theirs, ours)].filter((place) => !rules.ignored.has(place.split(' ')[1] ?? ''));
  yield* placesIn(theirs.body, ours.body, { path: '', name: '', depth: 0 }, rules);
}

const isSuccess = ({ status }: Told): boolean => status >= 200 && status < 300;

/** Each place once. */
export const placesOf = (theirs: Told, ours: Told, rules: PlaceRules): string[] => {
  const places = new Set<string>();
  if (theirs.status !== ours.status) {
    places.add(`status ${theirs.status}, here ${ours.status}`);
    // Only two successes have bodies of one kind.
    if (!isSuccess(theirs) || !isSuccess(ours)) return [...places];
  }
  for (const place of allPlaces(theirs, ours, rules)) {
    if (places.size === mostPlaces) break;
    places.add(place);
  }
  return [...places];
};
