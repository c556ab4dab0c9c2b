/** The user of docs/redis.md: the tests of the services, of the board and of the command line run as it; here stands what it may not do. */
import { startIngress } from '@roster/ingress-service';
import { redisRights } from '@roster/local-stack';
import { loadConfig, serviceConfigs } from '@roster/runtime';
import { assertRightsSuffice, refusedRights, useServers, withLeastRights } from '@roster/testkit';
import { Redis } from 'ioredis';
import { contextOf, variablesOf } from './context.ts';

let own: Redis;

const servers = useServers(async ({ redis, redisUrl }) => {
  own = new Redis(redisUrl);
  return async () => {
    own.disconnect();
    await redis.call('ACL', 'LOG', 'RESET');
  };
});

it.each([
  ['flushall'],
  ['flushdb'],
  ['keys', '*'],
  ['scan', '0'],
  ['config', 'set', 'appendonly', 'no'],
  ['acl', 'whoami'],
  ['monitor'],
  ['shutdown'],
  ['slowlog', 'get'],
  ['replicaof', 'no', 'one'],
  ['script', 'flush'],
])('may not %s', async (command, ...args) => {
  await expect(own.call(command, ...args)).rejects.toThrow(/^NOPERM/);
});

it.each([
  ['a key of somebody else', () => own.get('session:1')],
  ['a key whose name only holds ours', () => own.set('x:roster:stamp', '1')],
  ['a channel of somebody else', () => own.publish('news', 'x')],
])('may not touch %s', async (_, touch) => {
  await expect(touch()).rejects.toThrow(/^NOPERM/);
});

describe('without one right', () => {
  const without = async (right: string): Promise<string> =>
    withLeastRights(
      servers.redis,
      servers.redisUrl,
      redisRights('roster').filter((each) => each !== right),
    );

  afterEach(() => withLeastRights(servers.redis, servers.redisUrl));

  it('an ingress that may not read the settings does not start, and says why', async () => {
    const url = await without('+config|get');
    const config = loadConfig(serviceConfigs.ingress, variablesOf(url, servers.mongoUrl));
    await expect(startIngress(contextOf('ingress', config))).rejects.toThrow(/NOPERM.*config/);
  });

  it('the tests of the services fail', async () => {
    const poorer = new Redis(await without('+zadd'));
    await expect(poorer.zadd('roster:x', 1, 'a')).rejects.toThrow(/NOPERM/);
    poorer.disconnect();
    const refused = await refusedRights(servers.redis);
    expect(refused).toEqual(['command zadd']);
    expect(() => assertRightsSuffice(refused)).toThrow('too few rights: command zadd');
  });
});
