import type { AcceptedRequest } from '@roster/contract';
import { createErasures } from '@roster/queue';
import { useServers } from '@roster/testkit';
import { recordErasures } from './record-erasures.ts';
import { request } from './testbed.ts';

jest.setTimeout(60_000);

const servers = useServers();
beforeEach(async () => {
  await servers.redis.flushdb();
  await servers.store.sweeps.deleteMany({});
});

const deletionOf = (external_id: string) => request('users.delete', { external_ids: [{ external_id }] });

const sweep = ({ at: accepted, ws }: AcceptedRequest, ...profiles: string[]) =>
  servers.store.sweeps.insertOne({
    _id: profiles[0] ?? '',
    ws,
    profiles,
    keys: [`${ws}:e:ada`],
    at: accepted + 1,
    accepted,
    round: 1,
    due: new Date(),
  });

const recorded = async (...requests: AcceptedRequest[]) => {
  const erasures = createErasures(servers.redis);
  await recordErasures(servers.store, erasures, requests);
  const all = [];
  for await (const one of erasures.all()) all.push(one);
  return all;
};

describe('the log of erasures', () => {
  it('has the people of a deletion with absorbed ids, and no name', async () => {
    const deletion = request('users.delete', {
      external_ids: [{ external_id: 'ada' }, { external_id: 'bob' }],
    });
    await sweep(deletion, 'p1', 'p2');
    await sweep(deletion, 'p3');
    expect(await recorded(deletion)).toEqual([
      { id: deletion.id, ws: deletion.ws, profiles: ['p1', 'p2', 'p3'] },
    ]);
    expect(JSON.stringify(await servers.redis.xrange('{roster:erasures}:log', '-', '+'))).not.toContain(
      'ada',
    );
  });

  it('leaves out people of other requests, and data that an identify gave up', async () => {
    const identify = request('users.identify', {
      aliases_to_identify: [{ external_id: 'ada', user_alias: { alias_label: 'web', alias_name: 'v' } }],
    });
    const other = deletionOf('bob');
    await sweep(identify, 'p1');
    await sweep(other, 'p2');
    expect(await recorded(identify, deletionOf('eve'))).toEqual([]);
  });
});
