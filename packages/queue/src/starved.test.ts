import { until, useServers } from '@roster/testkit';
import { readStarved, reportStarved, sentenceOf } from './starved.ts';

const servers = useServers();

type Hear = (share: number | undefined) => void;

const report = (service: string, url: string) => {
  let tell: Hear = () => {};
  const { close } = reportStarved(url, {
    service,
    hear(hear) {
      tell = hear;
    },
  });
  return { tell: (share: number | undefined) => tell(share), close };
};

const noted = () => readStarved(servers.redis, ['sender', 'track']);

it('is noted while the process says so, for as long as it renews it, and no more when it is over', async () => {
  const { tell, close } = report('sender', servers.redisUrl);
  tell(0.83);
  const [note] = await until(async () => {
    const notes = await noted();
    return notes.length > 0 && notes;
  });
  expect(note).toMatchObject({ service: 'sender', share: 0.83 });
  expect(note && sentenceOf({ ...note, host: 'one' })).toBe(
    'sender on one waits for a processor 83 % of the time',
  );
  expect(await servers.redis.ttl('{roster:starved}:sender')).toBeGreaterThan(0);
  await until(async () => {
    tell(undefined);
    return (await noted()).length === 0;
  });
  close();
});
