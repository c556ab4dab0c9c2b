/** What one audience may cost. */
export const mostFilters = 100;
export const mostDepth = 10;
export const mostName = 255;
/** As long as the texts of attributes. */
export const mostText = 255;
export const mostDays = 36_500;

/** Of one pattern, compiled. */
export const mostPatternSteps = 1_000;

/** Of all patterns of one audience. Compiling takes time in proportion to their characters. */
export const mostPatternCharacters = 2_000;

/** Of all patterns of one audience: matching takes time in proportion to their steps and to the text, whatever the patterns are. */
export const mostSteps = 2_000;

/** Steps at characters that are tested together: half a second of CPU at most, on a slow machine. Further people are tested later. */
export const mostVisits = 8_000_000;
