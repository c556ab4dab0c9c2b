import { type Source, search } from './search.ts';

const source = (title: string, find: () => Promise<string>, slow?: string): Source => ({
  title,
  find,
  ...(slow && { slow }),
});
const fails = (reason: string) => () => Promise.reject(new Error(reason));

const run = async (...sources: Source[]) => {
  const said: string[] = [];
  const found = await search({
    server: 'Redis',
    sources,
    advice: 'Install it.',
    say: (line) => void said.push(line),
  }).catch((error: Error) => error.message);
  return { found, said };
};

describe('the search for a server', () => {
  it('takes the first source that has one, and says nothing about quick ones', async () => {
    const { found, said } = await run(
      source('the PATH', fails('not there')),
      source('the cache', async () => '/cache/redis'),
      source('the network', fails('should not be asked'), 'fetching it'),
    );
    expect(found).toBe('/cache/redis');
    expect(said).toEqual([]);
  });

  it('says what it fetches, and goes on when that fails', async () => {
    const { found, said } = await run(
      source('the vendor', fails('refused'), 'fetching from the vendor'),
      source('the package', async () => '/cache/redis', 'fetching the package'),
    );
    expect(found).toBe('/cache/redis');
    expect(said).toEqual([
      'Redis: fetching from the vendor ...',
      '  that did not work: refused',
      'Redis: fetching the package ...',
      'Redis: ready, kept in /cache/redis',
    ]);
  });

  it('ends with one message that names every attempt and what to do', async () => {
    const { found } = await run(source('the PATH', fails('not there')), source('pip', fails('no pip\nhere')));
    expect(found).toBe(
      'No Redis was found or could be fetched.\n  - the PATH: not there\n  - pip: no pip here\nInstall it.',
    );
  });

  it('fetches once for several that are started at once', async () => {
    const fetched: string[] = [];
    const find = async (): Promise<string> => `/cache/redis-${fetched.push('redis')}`;
    const start = () => run(source('the network', find, 'fetching it'));
    const all = await Promise.all([start(), start(), start()]);
    expect(all.map(({ found }) => found)).toEqual(Array(3).fill('/cache/redis-1'));
    expect(all.flatMap(({ said }) => said)).toHaveLength(2);
    expect((await start()).found).toBe('/cache/redis-2');
  });
});
