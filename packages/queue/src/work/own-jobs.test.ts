import type { AcceptedRequest } from '@roster/contract';
import type { Group } from '../group.ts';
import { createOwnJobs } from './own-jobs.ts';

const requestAt = (at: number): AcceptedRequest => ({
  id: `r${at.toString(36)}-x`,
  ws: 'w',
  op: 'users.track',
  at,
});
const groupOf = (...all: AcceptedRequest[]): Group => ({
  v: 1,
  entries: all.length,
  bytes: 1,
  requests: all.map(({ id, ws, op }) => [id, ws, op, {}]),
});
const [a, b, c] = [requestAt(10), requestAt(11), requestAt(12)] as const;

describe('the jobs of a batch', () => {
  it('are those of which all requests are in it, by their oldest stamps', () => {
    const { hold, ownIn } = createOwnJobs();
    hold(groupOf(b, a));
    hold(groupOf(c));
    expect(ownIn([a, b, c])()).toEqual(new Set([10, 12]));
    expect(ownIn([a, c])()).toEqual(new Set([12]));
    expect(ownIn([])()).toEqual(new Set());
  });

  it('are no longer there when they are done', () => {
    const { hold, letGo, ownIn } = createOwnJobs();
    const group = groupOf(a);
    hold(group);
    letGo(group);
    expect(ownIn([a])()).toEqual(new Set());
  });
});
