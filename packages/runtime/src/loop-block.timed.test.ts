import { watchLoop } from './loop-block.ts';

const busyFor = (ms: number): void => {
  const end = process.cpuUsage().user + ms * 1_000;
  while (process.cpuUsage().user < end);
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the longest block of the event loop', () => {
  it('is the longest piece of work since the last look', async () => {
    const loop = watchLoop();
    busyFor(120);
    await pause(30);
    busyFor(60);
    await pause(30);
    expect(loop.take()).toBeGreaterThan(100);
    expect(loop.take()).toBeLessThan(100);
    loop.close();
  });

  it('is short when there are many short pieces', async () => {
    const loop = watchLoop();
    for (let i = 0; i < 80; i++) {
      busyFor(5);
      await pause(0);
    }
    // Of 400 ms in all; the threads of the garbage collection count too.
    expect(loop.take()).toBeLessThan(120);
    loop.close();
  });

  it('does not count that the machine was busy with others', () => {
    const now = { wall: 0, cpu: 0 };
    const loop = watchLoop({ wall: () => now.wall, cpu: () => now.cpu });
    now.wall = 500;
    now.cpu = 3;
    expect(loop.take()).toBe(3);
    now.wall = 1_000;
    now.cpu = 403;
    expect(loop.take()).toBe(400);
    loop.close();
  });
});
