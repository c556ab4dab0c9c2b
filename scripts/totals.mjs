// How many checks passed and failed, handed on in a file for .ci/run, and as the exit code.
import { writeFileSync } from 'node:fs';

export const add = (...all) =>
  all.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });

/** The file is written only when somebody asked for it. */
export const writeTotals = (totals) => {
  process.exitCode = totals.failed > 0 ? 1 : 0;
  const { ROSTER_TOTALS: file } = process.env;
  if (file) writeFileSync(file, JSON.stringify(totals));
};
