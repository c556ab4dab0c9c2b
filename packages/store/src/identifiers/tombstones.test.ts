import { useStore } from '@roster/testkit';
import { openStore } from '../connection/open-store.ts';

const store = useStore({ open: openStore });

const expires = new Date('2100-01-01');
const leaveTombstone = (key: string, at: number, to?: string): Promise<void> =>
  store.tombstones.write([{ ws: 'demo', key, at, expires, ...(to !== undefined && { to }) }]);

const collection = () => store.db.collection('tombstones');
const found = async (key: string) => (await store.tombstones.fatesOf([key, 'demo:e:other'])).get(key);

describe('tombstones', () => {
  it('hold the stamp of a deletion, or the profile into which the person was merged', async () => {
    await leaveTombstone('demo:e:gone', 10);
    await leaveTombstone('demo:e:away', 20, 'p2');
    expect(await store.tombstones.fatesOf(['demo:e:gone', 'demo:e:away', 'demo:e:never'])).toEqual(
      new Map([
        ['demo:e:gone', [{ at: 10 }]],
        ['demo:e:away', [{ at: 20, to: 'p2' }]],
        ['demo:e:never', []],
      ]),
    );
  });

  it('hold that only a part goes to another person', async () => {
    const tombstone = { ws: 'demo', key: 'demo:s:part', at: 20, to: 'p2', part: true as const, expires };
    await store.tombstones.write([tombstone]);
    expect(await found('demo:s:part')).toEqual([{ at: 20, to: 'p2', part: true }]);
  });

  it('do not reveal the person: the key is nowhere in the document', async () => {
    await leaveTombstone('demo:e:secret-name', 10);
    const stored = await collection().find({}).toArray();
    expect(JSON.stringify(stored)).not.toContain('secret-name');
    for (const { _id } of stored) expect(String(_id)).toMatch(/^[\w-]{24}$/);
  });

  it('keep the fate of earlier people with the same identifier, however often each is written', async () => {
    for (const [at, to] of [[10, 'p1'], [20], [20], [30, 'p3'], [30, 'p3']] as const)
      await leaveTombstone('demo:e:thrice', at, to);
    expect(await found('demo:e:thrice')).toEqual([{ at: 10, to: 'p1' }, { at: 20 }, { at: 30, to: 'p3' }]);
  });

  it('keep the fates of the owners before, when the last owner was deleted by an older request', async () => {
    await leaveTombstone('demo:e:twice', 20, 'p1');
    const later = new Date('2101-01-01');
    await store.tombstones.write([{ ws: 'demo', key: 'demo:e:twice', at: 10, of: ['p2'], expires: later }]);
    expect(await found('demo:e:twice')).toEqual([{ at: 20, to: 'p1' }]);
    const stored = await collection().find({ at: 20, to: 'p1' }).toArray();
    expect(stored.map((one) => one.expires)).toContainEqual(later);
  });

  it('are found by the last owner, who may be erased, by an index', async () => {
    await leaveTombstone('demo:e:lost', 10, 'p5');
    await leaveTombstone('demo:e:lost twice', 20, 'p5');
    await leaveTombstone('demo:e:lost twice', 30, 'p6');
    const found = [];
    for await (const some of store.tombstones.lostBy(['p4', 'p5'])) found.push(...some);
    expect(found).toEqual([{ digest: store.tombstones.digestOf('demo:e:lost'), at: 10 }]);
    const explained = await collection()
      .find({ to: { $in: ['p4', 'p5'] } })
      .explain('queryPlanner');
    expect(JSON.stringify(explained)).toContain('"indexName":"by_last_owner"');
  });

  it('take every text for data', async () => {
    await leaveTombstone('$demo:e:$odd', 10, '$to');
    expect(await found('$demo:e:$odd')).toEqual([{ at: 10, to: '$to' }]);
  });
});
