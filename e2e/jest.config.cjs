module.exports = {
  ...require('../jest.preset.cjs'),
  displayName: 'e2e',
  // Played by whole.test.ts and round-trips.test.ts, with one system for all of them.
  testPathIgnorePatterns: ['/src/(whole|round-trips)/'],
};
