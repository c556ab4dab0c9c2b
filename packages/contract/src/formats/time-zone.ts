import { remember } from './remember.ts';
import { timeZoneNames } from './time-zone-names.ts';

const LONGEST = 64;

const byLowerCase: ReadonlyMap<string, string> = new Map([
  ...Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone] as const),
  ...Object.entries(timeZoneNames).map(([name, zone]) => [name.toLowerCase(), zone] as const),
  ['utc', 'UTC'],
]);

const kept = remember(find, 2_000);

/** The IANA zone that the text names, in the usual letter case, or `undefined`. */
export function timeZone(text: string): string | undefined {
  return text.length > LONGEST ? undefined : kept(text.trim());
}

/** Older names of zones (`US/Pacific`, `Asia/Kolkata`) are not in the list of the runtime, but it knows them. */
function find(text: string): string | undefined {
  const listed = byLowerCase.get(text.toLowerCase());
  if (listed !== undefined) return listed;
  return /^[A-Za-z]/.test(text) && isKnownToRuntime(text) ? text : undefined;
}

function isKnownToRuntime(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
