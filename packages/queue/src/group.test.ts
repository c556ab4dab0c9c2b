import type { OperationId } from '@roster/contract';
import {
  type Group,
  groupId,
  intoGroups,
  isBackground,
  isJobAboutAliases,
  type Sized,
  stampOfGroupId,
  unpack,
} from './group.ts';

const sized = (at: number, bytes: number): Sized => {
  const request = { id: `r${at.toString(36)}-check`, ws: 'w', op: 'users.track' as const, at };
  return { request, body: Buffer.from(JSON.stringify('x'.repeat(bytes - 62))), entries: 2 };
};

const read = (group: { json: Buffer } | undefined): Group => JSON.parse(group?.json.toString() ?? '{}');

describe('a group', () => {
  it('holds at most its bytes, and a bigger request alone', () => {
    const groups = intoGroups([sized(1, 70), sized(2, 70), sized(3, 71), sized(4, 500), sized(5, 62)], 150);
    expect(groups.map((group) => read(group).requests.map((packed) => unpack(packed).at))).toEqual([
      [1, 2],
      [3],
      [4],
      [5],
    ]);
    expect(groups.map(({ oldest, members }) => [oldest, members])).toEqual([
      [1, 2],
      [3, 1],
      [4, 1],
      [5, 1],
    ]);
    expect(groups.map((group) => [read(group).entries, read(group).bytes])).toEqual([
      [4, 140],
      [2, 71],
      [2, 500],
      [2, 62],
    ]);
  });

  it('holds at most its entries', () => {
    const groups = intoGroups([sized(1, 70), sized(2, 70), sized(3, 70)], 1_000, 4);
    expect(groups.map(({ members }) => members)).toEqual([2, 1]);
  });

  it('brings a request back as it was', () => {
    const request = {
      id: 'r5-check',
      ws: 'w',
      op: 'requests.read' as const,
      at: 5,
      params: { id: 'ü"' },
      exact: true as const,
      reply: 'me',
    };
    const text = '{"a":[1,"\\"",null], "__proto__": {"b": "\\u2028"}}';
    const [group] = intoGroups([{ request, body: Buffer.from(text), entries: 1 }]);
    const [packed] = read(group).requests;
    expect(packed && unpack(packed)).toEqual({ ...request, body: JSON.parse(text) });
  });

  it('brings a request without a body back without one', () => {
    const request = { id: 'r5-check', ws: 'w', op: 'requests.read' as const, at: 5 };
    const [group] = intoGroups([{ request, body: Buffer.alloc(0), entries: 1 }]);
    const [packed] = read(group).requests;
    expect(packed && unpack(packed)).toEqual(request);
  });

  it('names its oldest stamp in its id, also when a retried request brings an old one', () => {
    const [group] = intoGroups([sized(1_795_000_000_000_009, 70), sized(1_795_000_000_000_001, 70)]);
    expect(stampOfGroupId(groupId(group?.oldest ?? 0, 'abc'))).toBe(1_795_000_000_000_001);
    expect(stampOfGroupId('something-else')).toBeUndefined();
  });

  it('tells by the id whether all requests of a job are about aliases, or of a sync', () => {
    const request = (op: OperationId, by = 'key'): Sized => ({
      request: { id: 'r1', ws: 'w', op, at: 1, by },
      body: Buffer.alloc(0),
      entries: 1,
    });
    const idOf = (...items: Sized[]): string => groupId(1, intoGroups(items)[0]?.suffix ?? '', 'w');
    const [alias, merge] = [request('users.alias.new'), request('users.merge')];
    const ids = [idOf(alias, alias), idOf(alias, merge), idOf(request('users.track', 'sync:1'))];
    expect(ids.map(isJobAboutAliases)).toEqual([true, false, false]);
    expect(ids.map(isBackground)).toEqual([false, false, true]);
  });
});
