import { rememberShort } from './remember.ts';
import { timeZoneNames } from './time-zone-names.ts';

const byLowerCase: ReadonlyMap<string, string> = new Map([
  ...Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone] as const),
  ...Object.entries(timeZoneNames).map(([name, zone]) => [name.toLowerCase(), zone] as const),
  ['utc', 'UTC'],
]);

/** The IANA zone that the text names, in the usual letter case, or `undefined`. */
export const timeZone = rememberShort(find, 64, 2_000);

/** Older names of zones (`US/Pacific`, `Asia/Kolkata`) are not in the list of the runtime, but it knows them. */
function find(sent: string): string | undefined {
  const text = sent.trim();
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
