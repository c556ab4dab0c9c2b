const { join } = require('node:path');

/** Shared by every package: TypeScript through swc, the package under test straight from its sources, no build needed. */
module.exports = {
  testEnvironment: join(__dirname, 'scripts/jest-environment.cjs'),
  runtime: join(__dirname, 'scripts/jest-runtime.cjs'),
  testMatch: ['<rootDir>/src/**/*.test.ts'],
  // Those that judge time are for long runs (scripts/jest-passes.mjs).
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.ROSTER_TIMED ? [] : ['\\.timed\\.test\\.ts$'])],
  // Not among temporary files: those of a run may lie in memory.
  cacheDirectory: join(__dirname, 'node_modules/.cache/jest'),
  // As in jest.config.cjs, for the tests of one package.
  testTimeout: 300_000,
  globalSetup: require.resolve('./scripts/jest-setup.cjs'),
  globalTeardown: require.resolve('./scripts/jest-teardown.cjs'),
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  extensionsToTreatAsEsm: [],
  resolver: join(__dirname, 'scripts/jest-resolver.cjs'),
};
