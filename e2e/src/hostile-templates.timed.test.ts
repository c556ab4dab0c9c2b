/** The workspace pays for what the checks of its templates cost, and for nothing of its neighbours. */
import { setTimeout as sleep } from 'node:timers/promises';
import { completeSettings, publishWorkspace } from '@roster/access';
import { type OwnSystem, settingsOf, startSystem } from './system.ts';

jest.setTimeout(120_000);

let system: OwnSystem;

beforeAll(async () => {
  system = await startSystem({ messaging: true });
});
afterAll(() => system?.stop());

/** Thirty requests of 50 KB by their prices; one or two by what a hostile template of that size costs. */
const points = { requests: 1_000, seconds: 3_600 };

const limitWork = async (): Promise<void> => {
  const settings = completeSettings({ ...settingsOf(system.ws), limits: { work: points } });
  await system.store.workspaces.put(settings);
  await publishWorkspace(system.redis, settings);
};

let count = 0;

/** How many blocks of this content were taken until one was refused for its price. */
const takenOf = async (content: string, most: number): Promise<number> => {
  for (let taken = 0; taken < most; taken++) {
    const body = { name: `block-${++count}`, content };
    const { status } = await system.caller.post('/content_blocks/create').send(body);
    if (status === 429) return taken;
    expect(status).toBe(201);
  }
  return most;
};

it('a workspace that sends expensive templates is stopped, one that sends as many bytes of text is not', async () => {
  await limitWork();
  const text = 'x'.repeat(50_000);
  expect(await takenOf(text, 10)).toBe(10);
  // Charges come once a second.
  await sleep(1_200);
  expect(await takenOf(text, 1)).toBe(1);
  // As many outputs as a content may have, in as many bytes.
  expect(await takenOf('{{a}}'.repeat(4_000).padEnd(50_000, 'x'), 15)).toBeLessThan(15);
});
