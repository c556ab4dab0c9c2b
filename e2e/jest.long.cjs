/** Tests that `npm run long` runs and the gate does not: they fetch what is too large to be a dependency. */
module.exports = { ...require('./jest.config.cjs'), testMatch: ['<rootDir>/src/client/*.test.ts'] };
