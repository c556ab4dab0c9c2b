// The order in which jest runs test files: those that start a whole system first, then the largest. A long one that begins last runs alone.
const { statSync } = require('node:fs');

const isWhole = ({ path }) => /[\\/]e2e[\\/]/.test(path);

const weightOf = (test) => (isWhole(test) ? Number.MAX_SAFE_INTEGER : statSync(test.path).size);

module.exports = class {
  sort(tests) {
    return [...tests].sort((a, b) => weightOf(b) - weightOf(a) || a.path.localeCompare(b.path));
  }
  shard(tests) {
    return tests;
  }
  allFailedTests(tests) {
    return tests;
  }
  cacheResults() {}
};
