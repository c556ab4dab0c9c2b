// Before a run of jest: what its tests load, and servers, unless its caller has started some.
const { env } = process;

module.exports = async () => {
  const { makeTestBundles } = await import('./make-test-bundles.mjs');
  await makeTestBundles();
  if (env.ROSTER_TEST_REDIS && env.ROSTER_TEST_MONGO) return;
  const { startTestServers } = await import('./jest-servers.mjs');
  const servers = await startTestServers();
  for (const [name, url] of Object.entries(servers.env)) env[name] ||= url;
  globalThis.stopTestServers = servers.stop;
};
