// A reporter of jest: leaves what each file told, for the totals of a run over several packages. In .cache/test.json of the package, or where
// ROSTER_TEST_REPORT says.
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const root = join(__dirname, '..');
const longestWords = 300;

/** What a test said when it failed, in one line. */
const wordsOf = ([message = '']) =>
  stripVTControlCharacters(message.split(/\n\s+at /)[0])
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestWords);

const reportOf = ({ testFilePath, testExecError, perfStats, testResults }) => ({
  file: relative(root, testFilePath),
  status: testExecError || testResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  seconds: (perfStats.end - perfStats.start) / 1000,
  tests: testResults.map(({ fullName: name, status, failureMessages = [] }) => ({
    name,
    status,
    words: wordsOf(failureMessages),
  })),
});

module.exports = class {
  constructor({ rootDir }) {
    this.file = process.env.ROSTER_TEST_REPORT ?? join(rootDir, '.cache/test.json');
  }
  onRunStart() {
    rmSync(this.file, { force: true });
  }
  onRunComplete(_, { success, testResults }) {
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, JSON.stringify({ success, reports: testResults.map(reportOf) }));
  }
};
