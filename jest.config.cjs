const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Every package and service with tests, and those beside them. */
const folders = ['packages', 'services'].flatMap((group) =>
  readdirSync(join(__dirname, group)).map((name) => join(group, name)),
);
const projects = [...folders, 'bench', 'e2e', 'faults'].filter((folder) =>
  existsSync(join(__dirname, folder, 'jest.config.cjs')),
);

module.exports = {
  projects: projects.map((folder) => `<rootDir>/${folder}`),
  // Two more than the machine that CI has cores: half of the time a test waits for a server. Each has a Redis of its own (scripts/jest-servers.mjs).
  maxWorkers: 4,
  // What earlier files left behind makes garbage collection slow, and then everything: such a worker is started anew.
  workerIdleMemoryLimit: '600MB',
  // Of a test that hangs: no other one comes near, on however slow a machine.
  testTimeout: 300_000,
};
