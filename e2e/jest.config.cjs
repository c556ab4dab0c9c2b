module.exports = {
  ...require('../jest.preset.cjs'),
  displayName: 'e2e',
  // Those in folders are played by whole.test.ts and round-trips.test.ts, with one system for all of them.
  testMatch: ['<rootDir>/src/*.test.ts'],
};
