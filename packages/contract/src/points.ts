/** The points of a workspace, and what is paid for the work that only a worker can measure. */

/** Points of a workspace in a window aligned with the clock: about 1.5 seconds of CPU time for each second. */
export const work = { pool: 'work', requests: 45_000, seconds: 3 } as const;

/** So much CPU time, in all processes together, is a point. */
export const microsecondsOfPoint = 100;

/** A worker that loads this much of profiles has worked for a point. */
const loadedBytesOfPoint = 8 * 1024;

/** So much a second is in the price of the requests: profiles are small. */
const freeLoadedBytes = 1024 * 1024;

/** What a workspace pays afterwards for the profiles that its requests made a worker load in one second. */
export function pointsOfLoaded(bytes: number): number {
  return Math.max(0, Math.floor((bytes - freeLoadedBytes) / loadedBytesOfPoint));
}

/** What a workspace pays afterwards for the CPU time that threads took for its templates and emails. */
export function pointsOfTemplates(microseconds: number): number {
  return Math.floor(microseconds / microsecondsOfPoint);
}

/** Points of a workspace for looking for the people of its audiences, apart from its requests: an import of its own does not hold up its messages. */
export const audienceWork = { pool: 'audiences', requests: 22_500, seconds: 3 } as const;

/** MongoDB reads this much of profiles for a point. */
const readBytesOfPoint = 24 * 1024;

/** MongoDB compares one filter with this much of profiles for a point: each is compared with each attribute. */
const comparedBytesOfPoint = 40 * 1024;

/** What a workspace pays for each person among whom its audience is looked for: of so many bytes, with so many filters. */
export function pointsOfPerson(bytes: number, filters: number): number {
  return bytes / readBytesOfPoint + (bytes * filters) / comparedBytesOfPoint;
}

/** Steps of patterns at characters: see packages/audience. */
const visitsOfPoint = 2_000;

/** What a workspace pays afterwards for the patterns of its audiences. */
export function pointsOfVisits(visits: number): number {
  return Math.ceil(visits / visitsOfPoint);
}
