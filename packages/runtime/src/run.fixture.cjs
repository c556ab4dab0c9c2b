/** A process for run.test.ts: TypeScript from its sources, no build needed. */
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const options = {
    filename,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};
const { run } = require('./run.ts');

const forever = new Promise(() => {});
const soon = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const bug = () => new Error('a bug with ada@example.org');
const stop = async () => {};
/** Something that keeps the process alive, as a socket would. */
setInterval(() => {}, 1000);

const kinds = {
  good: async ({ log }) => ({
    port: 4321,
    async stop() {
      await soon(50);
      log.info('work finished');
    },
  }),
  'never stops': async () => ({ stop: () => forever }),
  'fails to stop': async () => ({ stop: () => Promise.reject(new Error('no')) }),
  'never starts': ({ log }) => {
    log.info('starting');
    return forever;
  },
  slow: async ({ log, admin }) => {
    log.info({ port: admin.port }, 'starting');
    await soon(1500);
    return { stop };
  },
  'fails to start': async () => {
    throw new Error('MongoDB says no');
  },
  throws: async () => {
    setTimeout(() => {
      throw bug();
    }, 20);
    return { stop };
  },
  rejects: async () => {
    setTimeout(() => void Promise.reject(bug()), 20);
    return { stop };
  },
};

void run('track', kinds[process.argv[2]]);
