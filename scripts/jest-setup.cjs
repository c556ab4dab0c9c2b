// Servers for a run of jest, unless its caller has started some.
const { env } = process;

module.exports = async () => {
  if (env.ROSTER_TEST_REDIS && env.ROSTER_TEST_MONGO) return;
  const { startTestServers } = await import('./jest-servers.mjs');
  const servers = await startTestServers();
  for (const [name, url] of Object.entries(servers.env)) env[name] ||= url;
  globalThis.stopTestServers = servers.stop;
};
