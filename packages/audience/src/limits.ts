/** What one audience may cost. */
export const mostFilters = 100;
export const mostDepth = 10;
export const mostName = 255;
/** As long as the texts of attributes. */
export const mostText = 255;
export const mostDays = 36_500;

/** What the patterns of one audience may cost. */
export const ofPatterns = {
  /** Of one pattern, compiled. */
  stepsOfOne: 1_000,
  /** Compiling takes time in proportion to their characters. */
  characters: 2_000,
  /** Matching takes time in proportion to their steps and to the text, whatever the patterns are. */
  steps: 2_000,
  /** Steps at characters that are tested together: half a second of CPU at most, on a slow machine. Further people are tested later. */
  visits: 8_000_000,
  /** All of that is work for a thread. */
  isInThread: true,
};

/** For fault tests, to see what these limits are good for: this process has none from now on. */
export const liftPatternLimits = (): void => {
  const none = Number.POSITIVE_INFINITY;
  Object.assign(ofPatterns, {
    stepsOfOne: none,
    characters: none,
    steps: none,
    visits: none,
    isInThread: false,
  });
};
