/** For histories and tests: operations with their usual members. */
import { apply, type Named, type Operation } from './model.ts';
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

const named = (about: Ref | Named): Named => ('who' in about ? about : { who: about });

export const merge = (from: Ref | Named, into: Ref | Named): Operation => ({
  do: 'merge',
  from: named(from),
  into: named(into),
});

export const identify = (ext: string, visitor: Ref | Named, all = true): Operation => ({
  do: 'identify',
  ext,
  visitor: named(visitor),
  merge: all,
});

export const remove = (about: Ref | Named): Operation => ({ do: 'delete', named: named(about) });

/** Applied one after the other. */
export const after = (operations: readonly Operation[], initial = empty): State =>
  operations.reduce<State>(apply, initial);
