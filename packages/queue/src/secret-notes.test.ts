import { until, useServers } from '@roster/testkit';
import { readSecretNotes, reportSecrets } from './secret-notes.ts';

const servers = useServers();
const services = ['ingress', 'track', 'monitor'];
const dates = [new Date('2027-03-01'), new Date('2027-04-01')];

it('the dates of other secrets are noted for a while, of processes that read secrets', async () => {
  const reports = [
    reportSecrets(servers.redisUrl, { service: 'ingress', secretsUntil: dates }),
    reportSecrets(servers.redisUrl, { service: 'track', secretsUntil: [] }),
    reportSecrets(servers.redisUrl, { service: 'monitor' }),
  ];
  const notes = await until(async () => {
    const found = await readSecretNotes(servers.redis, services);
    return found.length === 2 && found;
  });
  for (const { close } of reports) close();
  expect(notes).toMatchObject([
    { service: 'ingress', until: dates.map((date) => date.toISOString()) },
    { service: 'track', until: [] },
  ]);
  const [ttl, other] = await Promise.all(
    ['ingress', 'monitor'].map((service) => servers.redis.ttl(`{roster:secrets}:${service}`)),
  );
  expect(ttl).toBeGreaterThan(0);
  expect(other).toBe(-2);
});

it('a note is renewed', async () => {
  const report = reportSecrets(servers.redisUrl, { service: 'ingress', secretsUntil: [] }, 10);
  const isThere = () => servers.redis.exists('{roster:secrets}:ingress');
  await until(isThere);
  await servers.redis.del('{roster:secrets}:ingress');
  await until(isThere);
  report.close();
});
