import type { AcceptedRequest } from '@roster/contract';
import { groupId, intoGroups, oldestStamp, type Sized, stampOfGroupId } from './group.ts';

const sized = (at: number, bytes: number): Sized => ({
  request: { id: `r${at}`, ws: 'w', op: 'users.track', at } as AcceptedRequest,
  entries: 2,
  bytes,
});

describe('a group', () => {
  it('holds at most its bytes, and a bigger request alone', () => {
    const groups = intoGroups([sized(1, 40), sized(2, 40), sized(3, 40), sized(4, 500), sized(5, 1)], 100);
    expect(groups.map(({ requests }) => requests.map(({ at }) => at))).toEqual([[1, 2], [3], [4], [5]]);
    expect(groups[0]).toMatchObject({ entries: 4, bytes: 80 });
  });

  it('names its oldest stamp in its id, also when a retried request brings an old one', () => {
    const [group] = intoGroups([sized(1_795_000_000_000_009, 1), sized(1_795_000_000_000_001, 1)]);
    const oldest = oldestStamp(group ?? { v: 1, entries: 0, bytes: 0, requests: [] });
    expect(stampOfGroupId(groupId(oldest, 'abc'))).toBe(1_795_000_000_000_001);
    expect(stampOfGroupId('something-else')).toBeUndefined();
  });
});
