/** 1,000 reads right behind writes: too long for the gate, which has fewer of them (whole/compare.test.ts). */
import { useFolder, usePeer } from '@roster/testkit';
import { createComparing } from './comparing.ts';
import { createHostedReads } from './hosted-reads.ts';
import { type OwnSystem, startSystem } from './system.ts';

jest.setTimeout(1_800_000);

const hosted = createHostedReads([{ id: 'demo-news', name: 'News', channel: 'email' }], []);
const peer = usePeer((request, response) => void hosted.answer(request, response));
const inFolder = useFolder();
let system: OwnSystem;

beforeAll(async () => {
  system = await startSystem({ subscription: true });
});
afterAll(() => system.stop());

it('finds no difference in 1,000 reads right behind writes', async () => {
  const env = () => ({ ROSTER_URL: system.base, ROSTER_API_KEY: system.key });
  const { readsBehindWrites } = createComparing({ system, env, inFolder, from: () => peer.url });
  expect(await readsBehindWrites(1000)).toEqual({ differences: {}, counted: 2000 });
});
