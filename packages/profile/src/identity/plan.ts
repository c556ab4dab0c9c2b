/** Plan, then apply: the plan of a batch is everything that has to be written, made of its requests and of what was loaded. */
import { mostProfileBytes } from '../bytes.ts';
import { isNeedy } from '../find/known.ts';
import type { ReadTime } from '../merge/values.ts';
import { boundedNotes, type EntryNote } from '../plan/result.ts';
import type { Stamp } from '../profile.ts';
import type { IdentityKnown } from './known.ts';
import type { IdentityRequest } from './request.ts';
import { applyEntry, type IdentityResult } from './rules.ts';
import { createWorld, type World } from './world.ts';

export type IdentityWrites = ReturnType<World['writes']>;

export type IdentityPlan = ReturnType<typeof planIdentity>;

export interface IdentityPlanInput {
  /** In the order of their stamps. */
  requests: readonly IdentityRequest[];
  known: IdentityKnown;
  /** Later than every request whose effect has been seen. */
  now: Stamp;
  /** How the dates of two profiles are read where a merge compares them. */
  time: ReadTime;
  /** How many bytes a profile may take. */
  mostBytesOf?(ws: string): number;
}

/** Stands in for a result until more is loaded. It never leaves this file. */
const pending: IdentityResult = 'ignored:no_such_user';

const outcomeOf = (world: World, { id, ws, at, lists, notes: known = [] }: IdentityRequest) => {
  const origin = { id, ws, at };
  /** By the name of the array, one for each entry. */
  const entries: { [array: string]: IdentityResult[] } = {};
  /** Values that entries left behind. */
  const notes: EntryNote<string>[] = [...known];
  let position = 0;
  for (const [array, listed] of Object.entries(lists)) {
    if (listed.length === 0) continue;
    entries[array] = listed.map((entry, index): IdentityResult => {
      if (typeof entry === 'string') return `refused:${entry}`;
      const result = applyEntry(world, origin, entry, position++) ?? pending;
      for (const lost of world.takeLost()) notes.push({ input_array: array, index, ...lost });
      return result;
    });
  }
  return { origin, entries, notes: boundedNotes(notes) };
};

export const planIdentity = (input: IdentityPlanInput) => {
  const { requests, known, now, time, mostBytesOf = () => mostProfileBytes } = input;
  const world = createWorld(known, now, mostBytesOf, time);
  const outcomes = requests.map((request) => outcomeOf(world, request));
  if (isNeedy(world.needs)) return { ready: false as const, needs: world.needs };
  return { ready: true as const, now, outcomes, ...world.writes() };
};
