import { isPast } from './fence.ts';
import { groupId } from './group.ts';

const job = (stamp: number) => groupId(stamp, 'x');

describe('the fence', () => {
  it.each([
    ['is past when nothing is queued', [{ active: [], longestWaiting: null }], true],
    ['waits for a job at work', [{ active: [job(90)], longestWaiting: null }], false],
    ['waits for a waiting job', [{ active: [], longestWaiting: job(90) }], false],
    ['does not wait for what came later', [{ active: [job(110)], longestWaiting: job(120) }], true],
    [
      'looks at every partition',
      [
        { active: [], longestWaiting: job(120) },
        { active: [job(99)], longestWaiting: null },
      ],
      false,
    ],
    ['counts a job that it does not know as unfinished', [{ active: ['odd'], longestWaiting: null }], false],
  ])('%s', (_title, queues, past) => {
    expect(isPast(100, queues)).toBe(past);
  });
});
