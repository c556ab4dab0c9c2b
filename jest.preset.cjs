/** Shared by every package: TypeScript through swc, packages straight from their sources, no build needed. */
module.exports = {
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  extensionsToTreatAsEsm: [],
  moduleNameMapper: {
    '^@roster/(.+)-service$': '<rootDir>/../../services/$1/src/index.ts',
    '^@roster/(.+)$': '<rootDir>/../../packages/$1/src/index.ts',
  },
};
