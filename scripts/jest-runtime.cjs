// How a test file loads modules: as jest does, in the realm of its worker (jest-environment.cjs). Modules are evaluated for each file anew, so
// none finds what another left in them; only libraries are kept.
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { keptFile } = require('./test-bundles.cjs');

/** By it jest follows each promise to the test that made it, for a tenth of all CPU. Without, what nobody caught fails the file, not the test. */
class NoStorage {
  getStore() {}
  run(_store, work) {
    return work();
  }
}

module.exports = class extends Runtime {
  constructor(...args) {
    super(...args);
    this.executor.compile = (text, filename) =>
      compileFunction(text, this.executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    const kept = keptFile(name);
    return kept ? require(kept) : super.requireModuleOrMock(from, name);
  }

  requireInternalModule(from, name) {
    return name === 'node:async_hooks'
      ? { AsyncLocalStorage: NoStorage }
      : super.requireInternalModule(from, name);
  }
};
