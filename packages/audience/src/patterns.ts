/** The patterns of an audience. They are compiled when they are asked for first: one may take 30 ms, which a thread has and an event loop has not. */
import { RE2JS } from 're2js';
import { faultAt } from './fault.ts';
import { mostText, ofPatterns } from './limits.ts';

export interface Pattern {
  source: string;
  compiled(): RE2JS;
}

/** A pattern at its place. */
export interface PatternFilter {
  path: string;
  attribute: string;
  pattern: Pattern;
}

export const createPattern = (source: string): Pattern => {
  let compiled: RE2JS | undefined;
  return {
    source,
    compiled() {
      compiled ??= RE2JS.compile(source);
      return compiled;
    },
  };
};

export const tooLarge = `must be a pattern of at most ${mostText} characters and ${ofPatterns.stepsOfOne} steps`;

const tooMuch = `makes the patterns of the audience too large: ${ofPatterns.characters} characters and ${ofPatterns.steps} steps at most, all together`;

const stepsOf = ({ path, pattern }: PatternFilter): number => {
  let steps: number;
  try {
    steps = pattern.compiled().programSize();
  } catch (error) {
    throw faultAt(path, `must be a regular expression of RE2: ${(error as Error).message}`);
  }
  if (steps > ofPatterns.stepsOfOne) throw faultAt(path, tooLarge);
  return steps;
};

/** Throws an AudienceFault. */
export const assertCharacters = (filters: readonly PatternFilter[]): void => {
  let characters = 0;
  for (const { path, pattern } of filters) {
    characters += pattern.source.length;
    if (characters > ofPatterns.characters) throw faultAt(path, tooMuch);
  }
};

/** Compiles all of them. Throws an AudienceFault. */
export const assertSteps = (filters: readonly PatternFilter[]): void => {
  let steps = 0;
  for (const one of filters) {
    steps += stepsOf(one);
    if (steps > ofPatterns.steps) throw faultAt(one.path, tooMuch);
  }
};

/** The most that one test of a text takes. */
export const visitsOf = ({ pattern }: PatternFilter, value: unknown): number =>
  typeof value === 'string' ? pattern.compiled().programSize() * (value.length + 1) : 0;
