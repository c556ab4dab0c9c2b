/** A process for run.test.ts: TypeScript from its sources, no build needed. */
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
const { pino } = require('pino');

require.extensions['.ts'] = (module, filename) => {
  const options = {
    filename,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};
const { giveWay } = require('./give-way.ts');
const { run } = require('./run.ts');

const forever = new Promise(() => {});
const soon = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const bug = () => new Error('a bug with ada@example.org');
const stop = async () => {};
/** Something that keeps the process alive, as a socket would. */
setInterval(() => {}, 1000);

const chatty = (log, metrics) => {
  let lines = 0;
  const say = () => {
    for (let i = 0; i < 500; i++) log.info({ i, name: 'x'.repeat(200) }, 'a line');
    lines += 500;
  };
  const timer = setInterval(say, 10);
  process.on('message', async () => process.send({ lines, metrics: await metrics.text() }));
  return { stop: async () => clearInterval(timer) };
};

const kinds = {
  good: async ({ log }) => ({
    port: 4321,
    async stop() {
      await soon(50);
      log.info('work finished');
    },
  }),
  'gives way in vain': async () => {
    giveWay({ group: '/' });
    return { stop };
  },
  'never stops': async () => ({ stop: () => forever }),
  'fails to stop': async () => ({ stop: () => Promise.reject(new Error('no')) }),
  'never starts': ({ log }) => {
    log.info('starting');
    return forever;
  },
  /** Says more than any pipe holds, and tells its parent how it gets on. */
  chatty: async ({ log, metrics }) => chatty(log, metrics),
  /** With the bounds of our writer; more than 16 KB at once pino refuses. */
  'chatty by pino': async ({ metrics }) => {
    const bounds = { minLength: 8 * 1024, maxLength: 1024 * 1024, periodicFlush: 100 };
    const destination = pino.destination({ sync: false, ...bounds });
    destination.on('error', () => {});
    return chatty(pino(destination), metrics);
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

void run(process.argv[3] ?? 'track', kinds[process.argv[2]]);
