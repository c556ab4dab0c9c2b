import { readyWhen } from './admin.ts';

describe('a process', () => {
  const yes = async () => true;
  const no = async () => false;

  it('is ready when every server answers', async () => {
    expect(await readyWhen({ Redis: yes, MongoDB: yes })()).toBe(true);
  });

  it('names every server that does not', async () => {
    expect(await readyWhen({ Redis: no, MongoDB: yes })()).toBe('Redis is away');
    expect(await readyWhen({ Redis: no, MongoDB: no })()).toBe('Redis is away, MongoDB is away');
  });

  it('asks once, however many probes come meanwhile, and anew for the next', async () => {
    let asked = 0;
    const ready = readyWhen({
      Redis: async () => {
        asked++;
        return true;
      },
    });
    expect(await Promise.all(Array.from({ length: 100 }, ready))).toEqual(Array(100).fill(true));
    expect(asked).toBe(1);
    await ready();
    expect(asked).toBe(2);
  });
});
