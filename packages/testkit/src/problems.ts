/** The problems that a function finds: those of the error that it throws, none when it throws nothing. */
export const problemsIn = (check: () => unknown): string[] => {
  try {
    check();
  } catch (error) {
    if (error instanceof Error && 'problems' in error && Array.isArray(error.problems)) return error.problems;
    throw error;
  }
  return [];
};
