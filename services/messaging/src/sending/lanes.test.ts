import { until, useStore } from '@roster/testkit';
import { startLanes } from './lanes.ts';
import { delivery } from './testbed.ts';

const store = useStore();

/** Turns whose messages have left, or have not; none gets an answer before the end of the test. */
const started = (hasLeft: boolean) => {
  const turns: string[] = [];
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const left = hasLeft ? Promise.resolve() : ended;
  const lanes = startLanes({
    store,
    fire: async () => 0,
    turns: {
      turn: async (lane) => {
        turns.push(lane);
        if (hasLeft) await store.messages.deliveries.deleteMany({ lane });
        return { isIdle: false, left, ended };
      },
      turnOf: async () => ({ isIdle: true, left, ended }),
    },
    onConvicted: () => {},
    onError: () => {},
    lookEveryMs: 10,
  });
  const stop = (): Promise<void> => {
    end();
    return lanes.stop();
  };
  return { turns, stop };
};

beforeEach(() => store.messages.deliveries.deleteMany({}));

test('a turn that only waits for answers holds up nobody', async () => {
  const others = Array.from({ length: 40 }, (_, n) => delivery({ ws: `w${n}` }));
  await store.messages.deliveries.insertMany(others);
  const { turns, stop } = started(true);
  await until(async () => turns.length === 40 || undefined);
  await stop();
});

test('turns of few workspaces leave a free one for the next workspace', async () => {
  const channels = ['email', 'webhook', 'sms', 'ios_push'] as const;
  const slow = ['a', 'b', 'c'];
  await store.messages.deliveries.insertMany(
    slow.flatMap((ws) => channels.map((channel) => delivery({ ws, channel }))),
  );
  const { turns, stop } = started(false);
  await until(async () => turns.length >= 12 || undefined);
  await store.messages.deliveries.insertOne(delivery({ ws: 'd', channel: 'email' }));
  await until(async () => turns.includes('d/email') || undefined);
  for (const ws of slow)
    expect(turns.filter((lane) => lane.startsWith(`${ws}/`)).length).toBeLessThanOrEqual(8);
  await stop();
});
