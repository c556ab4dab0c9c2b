// Before a run of jest: what its tests load, and servers. `npm test` has made the first, and shares the servers of the run.
const { env } = process;

const startOwn = async (workers) => {
  const { prepare } = await import('./prepare.mjs');
  await prepare('local-stack', 'test-bundles');
  const { startTestServers } = await import('./jest-servers.mjs');
  return startTestServers(workers);
};

module.exports = async ({ maxWorkers }) => {
  if (env.ROSTER_TEST_REDIS && env.ROSTER_TEST_MONGO) return;
  const { leaseTestServers } = await import('./jest-servers.mjs');
  const servers = await (env.ROSTER_TEST_SERVERS ? leaseTestServers(maxWorkers) : startOwn(maxWorkers));
  Object.assign(env, servers.env);
  globalThis.stopTestServers = servers.stop;
};
