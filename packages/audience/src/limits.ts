/** What one audience may cost. */
export const mostFilters = 100;
export const mostDepth = 10;
export const mostName = 255;
/** As long as the texts of attributes. */
export const mostText = 255;
export const mostDays = 36_500;
/** In steps of the compiled pattern: matching takes time in proportion to these steps and to the length of the text, for any pattern. */
export const mostSteps = 1_000;
