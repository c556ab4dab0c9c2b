/** For histories and tests: operations with their usual members. */
import { apply, type Operation } from './model.ts';
import { empty, type Ref, type State } from './state.ts';

export type Track = Extract<Operation, { do: 'track' }>;

export const track = (who: Ref, token: string, more: Partial<Track> = {}): Track => ({
  do: 'track',
  who,
  token,
  parts: 'both',
  may: 'usual',
  ...more,
});

export const merge = (from: Ref, into: Ref): Operation => ({
  do: 'merge',
  from: { who: from },
  into: { who: into },
});

/** Applied one after the other. */
export const after = (operations: readonly Operation[], initial = empty): State =>
  operations.reduce<State>(apply, initial);
