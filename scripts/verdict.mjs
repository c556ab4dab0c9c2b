// What a run of tests comes to: a pure rule over what jest told. A test that fails and passes when its file is run once more is unsteady:
// it is told, and decides only when there are too many. A test in quarantine is told and never decides.

const mostUnsteady = 2;

/** More files than these are not run once more: it is no chance any more. */
export const mostAgain = 5;

/** The name of a file that could not run at all. */
const wholeFile = 'the file itself';

const failuresOf = ({ file, status, tests }) => {
  const failed = tests
    .filter((test) => test.status === 'failed')
    .map(({ name, words = '' }) => ({ file, test: name, words }));
  if (failed.length === 0 && status === 'failed') failed.push({ file, test: wholeFile, words: '' });
  return failed;
};

const isQuarantined = (quarantine, { file, test }) =>
  quarantine.some((entry) => entry.file === file && entry.test === test);

const decisive = (report, quarantine) =>
  failuresOf(report).filter((failure) => !isQuarantined(quarantine, failure));

/** Files with a failure that decides. */
export const failedFiles = (reports, quarantine) =>
  reports.filter((report) => decisive(report, quarantine).length > 0).map(({ file }) => file);

const passedIn = ({ tests }) => tests.filter(({ status }) => status === 'passed').length;

/**
 * `first`: what each file told; `again`: what those told that were run once more. A file that was run once more has failed when it failed
 * then, in whatever test.
 */
export const judgeRun = ({ first, again, quarantine }) => {
  const second = new Map(again.map((report) => [report.file, report]));
  const verdict = { passed: 0, failed: [], unsteady: [], quarantined: [] };
  for (const report of first) {
    verdict.quarantined.push(...failuresOf(report).filter((one) => isQuarantined(quarantine, one)));
    const failures = decisive(report, quarantine);
    const other = second.get(report.file);
    verdict.passed += passedIn(failures.length > 0 && other ? other : report);
    if (failures.length === 0) continue;
    const failedAgain = other ? decisive(other, quarantine) : failures;
    if (failedAgain.length > 0) verdict.failed.push(...failedAgain);
    else verdict.unsteady.push(...failures);
  }
  return verdict;
};

const hasTooManyUnsteady = ({ unsteady }) => unsteady.length > mostUnsteady;

/** `N passed, N failed`: unsteady tests beyond what is allowed have failed, too. */
export const totalsOf = (verdict) => ({
  passed: verdict.passed,
  failed: verdict.failed.length + (hasTooManyUnsteady(verdict) ? verdict.unsteady.length : 0),
});

/** What a reader needs at the end, one line each. */
export const linesOf = (verdict) => [
  ...verdict.failed.map(({ file, test }) => `FAILED ${file}: ${test}`),
  ...verdict.quarantined.map(({ file, test }) => `QUARANTINED ${file}: ${test}`),
  // Its output is gone when the run has passed.
  ...verdict.unsteady.map(({ file, test, words }) => `UNSTEADY ${file}: ${test} | ${words}`),
  ...(hasTooManyUnsteady(verdict)
    ? [`More than ${mostUnsteady} tests are unsteady: the run has failed.`]
    : []),
];
