// Where a test file runs: in the realm of its worker, not in one of its own. There each look at a global (`Promise`, `Buffer`, `setTimeout`) costs
// a call of a proxy, and each library is compiled anew for each file. What a file leaves behind is taken away after it.
const hooks = require('node:perf_hooks');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Loads Node's own fetch: the first undici that is loaded answers every fetch of the process, and that of a test file goes with it. */
void globalThis.Response;

const propertiesOf = (object) =>
  new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]));

/** As it was, with what was added, changed and deleted since. */
const putBack = (object, before) => {
  for (const key of Reflect.ownKeys(object)) if (!before.has(key)) delete object[key];
  for (const [key, was] of before) {
    const is = Object.getOwnPropertyDescriptor(object, key);
    if (was.configurable && (is?.value !== was.value || is?.get !== was.get))
      Object.defineProperty(object, key, was);
  }
};

const kept = [globalThis, process, process.env, hooks];

const { setInterval } = globalThis;
const { monitorEventLoopDelay, PerformanceObserver } = hooks;

/** What repeats until somebody ends it: of a file that did not, it would repeat beside all later ones. Adds to `endings` how each ends. */
const noteRepeating = (endings) => {
  globalThis.setInterval = (...args) => {
    const timer = setInterval(...args);
    endings.push(() => clearInterval(timer));
    return timer;
  };
  hooks.monitorEventLoopDelay = (...args) => {
    const histogram = monitorEventLoopDelay(...args);
    endings.push(() => histogram.disable());
    return histogram;
  };
  hooks.PerformanceObserver = class extends PerformanceObserver {
    constructor(...args) {
      super(...args);
      endings.push(() => this.disconnect());
    }
  };
};

module.exports = class {
  constructor({ projectConfig: config }) {
    this.before = kept.map(propertiesOf);
    this.endings = [];
    noteRepeating(this.endings);
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }
  async setup() {}
  async teardown() {
    this.fakeTimersModern.dispose();
    for (const end of this.endings) end();
    for (const [at, object] of kept.entries()) putBack(object, this.before[at]);
    this.global = null;
  }
  exportConditions() {
    return ['node', 'node-addons'];
  }
  getVmContext() {
    return null;
  }
};
