/** Judges time: only in long runs (`npm test -- --timed`), which have the machine for themselves. The gate holds on any machine. */
export const inLongRuns = (judge: () => void): void => {
  if (process.env.ROSTER_TIMED) judge();
};
