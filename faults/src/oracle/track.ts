/** For histories and tests: a track operation with its usual members. */
import type { Operation } from './model.ts';
import type { Ref } from './state.ts';

export type Track = Extract<Operation, { do: 'track' }>;

export const track = (who: Ref, token: string, more: Partial<Track> = {}): Track => ({
  do: 'track',
  who,
  token,
  parts: 'both',
  may: 'usual',
  ...more,
});
