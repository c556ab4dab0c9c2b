// The two ways in which jest goes over tests: those that can share the machine, three files at once, and those whose bars are milliseconds.

export const passes = {
  test: ['--testPathIgnorePatterns=\\.timed\\.test\\.ts$'],
  'test:timed': ['--testMatch=**/src/**/*.timed.test.ts', '--maxWorkers=1'],
};
