import { groupId } from '../group.ts';
import { isPast, oldestByWorkspace, oldestOf } from './fence.ts';

const job = (stamp: number) => groupId(stamp, 'x');

describe('the fence', () => {
  it.each([
    ['is past when nothing is queued', [{ active: [], front: [] }], true],
    ['waits for a job at work', [{ active: [job(90)], front: [] }], false],
    ['waits for a waiting job', [{ active: [], front: [job(90)] }], false],
    ['does not wait for what came later', [{ active: [job(110)], front: [job(120)] }], true],
    [
      'looks at every partition',
      [
        { active: [], front: [job(120)] },
        { active: [job(99)], front: [] },
      ],
      false,
    ],
    [
      'finds a job that a dead worker gave back behind a later one',
      [{ active: [], front: [job(99), job(120)] }],
      false,
    ],
    ['counts a job that it does not know as unfinished', [{ active: ['odd'], front: [] }], false],
  ])('%s', (_title, queues, past) => {
    expect(isPast(100, queues)).toBe(past);
  });

  it("leaves out the jobs that begin with one of one's own requests", () => {
    const queues = [
      { active: [job(90), job(95)], front: [job(100)] },
      { active: [job(97)], front: [] },
    ];
    expect(oldestOf(queues, new Set())).toBe(90);
    expect(oldestOf(queues, new Set([90, 95]))).toBe(97);
    expect(oldestOf([], new Set())).toBe(Number.POSITIVE_INFINITY);
  });

  it('leaves out jobs of another workspace, as far as the line was read', () => {
    const of = (stamp: number, ws: string) => groupId(stamp, 'x', ws);
    const front = [job(150), of(80, 'other'), of(70, 'other')];
    const oldest = oldestByWorkspace([{ active: [of(60, 'other'), job(120)], front }], new Set());
    expect(oldest('mine')).toBe(120);
    expect(oldest('other')).toBe(60);
    const long = { active: [], front: [of(90, 'other'), of(80, 'other')], goesOn: true };
    expect(oldestByWorkspace([long], new Set())('mine')).toBe(90);
    expect(oldestByWorkspace([{ ...long, goesOn: false }], new Set())('mine')).toBe(Number.POSITIVE_INFINITY);
  });
});
