import { groupId, type Sized } from '../group.ts';
import type { Unfinished } from '../order/fence.ts';
import { type Backlogs, createLanes, type LanePart, type Lanes } from './lanes.ts';

const sized = (ws: string, at: number, entries = 1, bytes = 0): Sized => ({
  request: { id: `r${at}`, ws, op: 'users.track', at },
  body: Buffer.alloc(bytes),
  entries,
});

const told = (parts: LanePart[]): string[] =>
  parts.map(
    ({ heavy, items }) => `${heavy ? 'heavy' : 'normal'} ${items.map(({ request }) => request.id).join()}`,
  );

const sendTo = (lanes: Lanes, items: Sized[], nowMs: number): string[] => {
  const parts = lanes.split(items, nowMs);
  for (const part of parts) lanes.written(part);
  return told(parts);
};

describe('lanes', () => {
  let unfinished: Unfinished[];
  let lanes: Lanes;
  const send = (items: Sized[], nowMs: number): string[] => sendTo(lanes, items, nowMs);

  beforeEach(() => {
    jest.useFakeTimers();
    unfinished = [];
    lanes = createLanes(async () => unfinished);
  });

  afterEach(() => {
    lanes.close();
    jest.useRealTimers();
  });

  it('keeps all requests together while no workspace sends much', () => {
    expect(send([sized('a', 1), sized('b', 2), sized('a', 3)], 0)).toEqual(['normal r1,r2,r3']);
  });

  it('gives a workspace that sends too much groups of its own, and keeps the others together', () => {
    const items = [sized('a', 1, 900), sized('b', 2), sized('c', 3), sized('a', 4, 900)];
    expect(send(items, 0)).toEqual(['normal r2,r3', 'heavy r1,r4']);
    expect(send([sized('a', 5)], 0)).toEqual(['heavy r5']);
    expect(send([sized('b', 6)], 0)).toEqual(['normal r6']);
  });

  it('takes a large body for as much work as many entries', () => {
    const items = [sized('a', 1, 1, 900_000), sized('b', 2), sized('c', 3)];
    expect(send(items, 0)).toEqual(['normal r2,r3', 'heavy r1']);
  });

  it('keeps a workspace in its lane while something of it is being written', () => {
    const parts = lanes.split([sized('a', 1, 900)], 0);
    const later = lanes.split([sized('a', 2)], 60_000);
    expect(told(later)).toEqual(['heavy r2']);
    for (const part of [...parts, ...later]) lanes.written(part);
    expect(told(lanes.split([sized('b', 3)], 60_000))).toEqual(['normal r3']);
  });

  it('keeps a workspace in its lane until everything that it sent there is finished', async () => {
    send([sized('a', 7, 900)], 0);
    unfinished = [{ active: [], front: [groupId(7, 'x')] }];
    await jest.advanceTimersByTimeAsync(5_000);
    expect(send([sized('a', 8)], 5_000)).toEqual(['heavy r8']);
    unfinished = [{ active: [groupId(9, 'x')], front: [] }];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(send([sized('a', 10)], 10_000)).toEqual(['normal r10']);
  });

  it('keeps a workspace whose heavy jobs wait in another queue out of the usual lane', async () => {
    const backlogs: Backlogs = [];
    const track = createLanes(async () => unfinished, backlogs);
    const identity = createLanes(async () => [], backlogs);
    unfinished = [{ active: [groupId(7, 'x', 'a'), groupId(8, 'x', 'b')], front: [] }];
    sendTo(track, [sized('a', 7, 900)], 0);
    await jest.advanceTimersByTimeAsync(500);
    expect(sendTo(identity, [sized('a', 9)], 500)).toEqual(['normal r9']);
    await jest.advanceTimersByTimeAsync(500);
    expect(sendTo(identity, [sized('a', 10), sized('b', 11)], 1_000)).toEqual(['normal r11', 'heavy r10']);
    unfinished = [];
    await jest.advanceTimersByTimeAsync(500);
    expect(sendTo(identity, [sized('a', 12)], 1_500)).toEqual(['normal r12']);
    for (const one of [track, identity]) one.close();
  });

  it('takes nothing for finished while Redis is away', async () => {
    lanes.close();
    lanes = createLanes(() => Promise.reject(new Error('away')));
    send([sized('a', 7, 900)], 0);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(send([sized('a', 8)], 5_000)).toEqual(['heavy r8']);
  });
});
